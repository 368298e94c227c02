import { handleSpelled } from "@/server/domain/contacts/number-search";
import type { ErrorCode } from "@/server/platform/errors";
import { clientMessageId } from "@/server/domain/messages/model/send-request";
import { withoutSecrets } from "@/server/platform/redact";
import { storableText } from "@/server/lib/text";
import { isUuid } from "@/server/lib/uuid";

/** The caller: a known key, or the SHA-256 of a sent secret, which may belong to nobody. */
export type RequestCaller =
  | {
      readonly kind: "key";
      readonly organizationId: string;
      readonly keyId: string;
      readonly secretId: string;
    }
  | { readonly kind: "secret"; readonly hash: Buffer };

/** The recorded data of a public request that got an error response. */
export interface RefusedRequest {
  readonly requestId: string;
  readonly caller: RequestCaller;
  readonly method: string;
  /** The path's template. */
  readonly route: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** As named in the response, possibly with the client's own words in it. */
  readonly field: string | undefined;
  /** The parsed body. Used only for its `client_message_id` and its recipient. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly durationMs: number;
}

/** The recorded data of a public request that succeeded. */
export interface SucceededRequest {
  readonly caller: Extract<RequestCaller, { kind: "key" }>;
  readonly method: string;
  /** The path's template. */
  readonly route: string;
  readonly status: number;
}

const idSchema = clientMessageId("");

/** Returns the `client_message_id` of a body; null unless it could be stored as a message's, and isn't a secret. */
export function clientMessageIdOf(body: RefusedRequest["body"]): string | null {
  const { success, data } = idSchema.safeParse(body?.client_message_id);
  return success && storableText(data) === data && withoutSecrets(data) === data ? data : null;
}

/** Longer than any number with separators between all digits. */
const NUMBER_LENGTH_MAX = 100;

/** Returns the recipient of a body: the number and the conversation in it, each null if missing. */
export function recipientOf(body: RefusedRequest["body"]): {
  readonly number: string | null;
  readonly conversationId: string | null;
} {
  const { to, thread_id: thread } = body ?? {};
  const handle = typeof to === "object" && to !== null && "handle" in to ? to.handle : undefined;
  const isNumber = typeof handle === "string" && handle.length <= NUMBER_LENGTH_MAX;
  return {
    number: isNumber ? handleSpelled(handle) : null,
    conversationId: typeof thread === "string" && isUuid(thread) ? thread.toLowerCase() : null,
  };
}

/** A field's name, or an index. Matches neither a phone number nor a key. */
const NAME = /^(?:[A-Za-z_][\w-]{0,39}(?:\[\])?|\d{1,3})$/;

/**
 * Returns a field's path in a form that may be stored. Names in it can be the client's, and may contain a misplaced
 * value: anything that doesn't look like a name is left out.
 */
export function keptField(field: string | undefined): string | null {
  if (field === undefined) return null;
  const names = field.split(".");
  return names.map((name) => (NAME.test(name) ? name : "…")).join(".");
}
