import type { Scope } from "./capabilities";

export const ROLES = ["owner", "admin", "agent"] as const;
export type Role = (typeof ROLES)[number];

/** A program of an integrator, identified by its API key. */
export interface KeyActor {
  readonly kind: "key";
  readonly organizationId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly keyPrefix: string;
  readonly secretId: string;
  readonly scopes: readonly Scope[];
  /** Channels that the key may use. Null means all channels. */
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
  /** Address that the request came from. Null if unknown. */
  readonly address: string | null;
  readonly role: Role;
  readonly permissions: readonly string[];
}

/** Work that Waypost does for one organization itself: a job, or an operator's command. */
export interface SystemActor {
  readonly kind: "system";
  readonly organizationId: string;
  readonly job: string;
}

export type Actor = KeyActor | MemberActor | SystemActor;

/** A signed-in person, independent of the organization they are looking at. */
export interface Person {
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly name: string;
  readonly hasTwoFactor: boolean;
  /** Address that the request came from. Null if unknown. */
  readonly address: string | null;
}
