import type { Scope } from "./capabilities";

export const ROLES = ["owner", "admin", "agent"] as const;
export type Role = (typeof ROLES)[number];

/** An integrator's program, known by its API key. */
export interface KeyActor {
  readonly kind: "key";
  readonly organizationId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly keyPrefix: string;
  readonly secretId: string;
  readonly scopes: readonly Scope[];
  /** Channels the key may use; null is all. */
  readonly channelIds: readonly string[] | null;
  readonly expiresAt: Date | null;
  readonly sendLimit: number;
  readonly readLimit: number;
}

/** A person in the admin app. */
export interface MemberActor {
  readonly kind: "member";
  readonly organizationId: string;
  readonly memberId: string;
  readonly userId: string;
  /** Where the request came from; null where that isn't known. */
  readonly address: string | null;
  readonly role: Role;
  readonly permissions: readonly string[];
}

/** Waypost's own work for one organization: a job, or an operator's command. */
export interface SystemActor {
  readonly kind: "system";
  readonly organizationId: string;
  readonly job: string;
}

export type Actor = KeyActor | MemberActor | SystemActor;

/** Somebody who is signed in, whatever organization they look at. */
export interface Person {
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly name: string;
  readonly hasTwoFactor: boolean;
  /** Where the request came from; null where that isn't known. */
  readonly address: string | null;
}
