import { initTRPC } from "@trpc/server";
import type { Capability, Scope } from "./capabilities";
import type { Caller } from "./context";
import { type ErrorCode, isWaypostError, remedyInUi } from "@/server/platform/errors";
import type { Bucket } from "@/server/adapters/limits/policies";

/** What a procedure of an organization says of itself. A procedure without meta fails at start-up. */
export interface ProcedureMeta {
  /** Also a route of the public API, where present. */
  readonly openapi?: {
    readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
    readonly path: `/${string}`;
    readonly summary: string;
    readonly description?: string;
    readonly tags?: string[];
    /** The body is a file, whose bytes the verb finds at `ctx.file`, not JSON. */
    readonly takesFile?: true;
    /** Its path says all: an empty body is as good as `{}`. */
    readonly takesNoBody?: true;
    /** Bodies that it takes, by name. */
    readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
  };
  /** Who may: the table in capabilities.ts gives the key's scope and the member's roles. */
  readonly capability: Capability;
  /** Scopes that a key needs beside the capability's, in some cases only; `needed` follows the scope's name. */
  readonly furtherScopes?: readonly { readonly scope: Scope; readonly needed: string }[];
  /** Bucket of which every call by a key takes a unit before anything else; null where the verb decides. */
  readonly bucket: Bucket | null;
  /** A read that costs no more than its unit does: done while that is taken, and dropped where it is refused. */
  readonly isCheap?: true;
  /** HTTP status of a success. */
  readonly status: number | ((output: unknown) => number);
  /** Every status that `status` can give, for the OpenAPI document. */
  readonly statuses: readonly number[];
  /** Codes it may answer, beside those that every route may. */
  readonly errors: readonly ErrorCode[];
}

/** What a procedure says of itself that is about a person, or about nobody yet, and no organization. */
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
    // What the pages are told of a refusal. Its words are the catalogue's: nothing internal is among them.
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
