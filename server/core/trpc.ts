import { initTRPC } from "@trpc/server";
import type { z } from "zod";
import type { Capability, Scope } from "./capabilities";
import type { Caller } from "./context";
import { type ErrorCode, isWaypostError, remedyInUi } from "@/server/platform/errors";
import type { Bucket } from "@/server/adapters/limits/policies";

/** Groups of routes in the public API, in the order of its reference. */
export const PUBLIC_TAGS = {
  Messages: "Send messages, and read their delivery status.",
  Conversations: "What is said between you and a customer on one channel, and its customer service window.",
  Contacts: "Your customers, by their numbers and WhatsApp's ids.",
  Uploads: "Files to send. A file is uploaded once and can be sent often.",
  Channels: "The WhatsApp numbers that messages are sent from.",
  Templates: "Message templates that WhatsApp has approved, or is yet to approve.",
  Webhooks: "Endpoints that receive events, their deliveries, and what was missed.",
  Keys: "The key that a request is made with.",
} as const;

type PublicTag = keyof typeof PUBLIC_TAGS;

/** Metadata of a procedure of an organization. A procedure without it fails at start-up. */
export interface ProcedureMeta {
  /** Makes it a route of the public API, too. */
  readonly openapi?: {
    readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
    readonly path: `/${string}`;
    /** Name of the operation in generated clients. Never changes. */
    readonly operationId: string;
    readonly summary: string;
    readonly description?: string;
    readonly tags: [PublicTag];
    /** The body is a file instead of JSON. The verb gets its bytes in `ctx.file`. */
    readonly takesFile?: true;
    /** The path says everything: an empty body is accepted like `{}`. */
    readonly takesNoBody?: true;
    /** The bucket of a verb that takes its unit itself. */
    readonly bucket?: Bucket;
    /** Describes the body, where the input's own schema says less than what is accepted. */
    readonly body?: z.ZodType;
    /** Example bodies, by name. */
    readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  };
  /** The required capability. The table in capabilities.ts gives the key's scope and the member's roles. */
  readonly capability: Capability;
  /** Scopes that a key needs in some cases, in addition to the capability's. `needed` follows the scope's name. */
  readonly furtherScopes?: readonly { readonly scope: Scope; readonly needed: string }[];
  /** Rate-limit bucket. Every call by a key takes a unit from it first. Null if the verb decides. */
  readonly bucket: Bucket | null;
  /**
   * A read that costs no more than its rate-limit unit. It runs while the unit is taken, and is dropped if the unit is
   * refused.
   */
  readonly isCheap?: true;
  /** HTTP status of a successful response. */
  readonly status: number | ((output: unknown) => number);
  /** Every status that `status` can return, for the OpenAPI document. */
  readonly statuses: readonly number[];
  /** Error codes of this route, in addition to those of every route. */
  readonly errors: readonly ErrorCode[];
}

/** Metadata of a procedure that is about a person, or about someone not signed in, and not about an organization. */
export interface PersonalMeta {
  readonly access: "signed-in" | "anyone";
  readonly errors: readonly ErrorCode[];
}

export type AnyMeta = ProcedureMeta | PersonalMeta;

export const t = initTRPC
  .context<Caller>()
  .meta<AnyMeta>()
  .create({
    isServer: true,
    // The error that pages receive. The text comes from the catalogue and contains nothing internal.
    errorFormatter: ({ shape, error, ctx }) => {
      const { cause } = error;
      const known = isWaypostError(cause) ? cause : null;
      const { httpStatus, path } = shape.data;
      return {
        ...shape,
        data: {
          httpStatus,
          path,
          code: known?.code ?? null,
          field: known?.field ?? null,
          others: known?.others ?? [],
          remedy: known === null ? null : remedyInUi(known.code),
          requestId: ctx?.requestId ?? null,
        },
      };
    },
  });
