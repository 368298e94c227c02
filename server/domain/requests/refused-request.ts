import { handleSpelled } from "@/server/domain/contacts/number-search";
import type { ErrorCode } from "@/server/platform/errors";
import { clientMessageId } from "@/server/domain/messages/model/schemas";
import { withoutSecrets } from "@/server/platform/redact";
import { storableText } from "@/server/lib/text";
import { isUuid } from "@/server/lib/uuid";

/** Whose request it was: a key that is known already, or the SHA-256 of a secret that was sent, which may be nobody's. */
export type RefusedCaller =
  | {
      readonly kind: "key";
      readonly organizationId: string;
      readonly keyId: string;
      readonly secretId: string;
    }
  | { readonly kind: "secret"; readonly hash: Buffer };

/** What is told of a public request that was answered with an error. */
export interface RefusedRequest {
  readonly requestId: string;
  readonly caller: RefusedCaller;
  readonly method: string;
  /** Template of the path. */
  readonly route: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** As the answer named it, by the client's own words where it has some. */
  readonly field: string | undefined;
  /** As it was read; of no use but for its `client_message_id`, and for whom it was meant. */
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly durationMs: number;
}

const idSchema = clientMessageId("");

/** The `client_message_id` of a body; null unless it has one that could be stored as a message's, and that is no secret. */
export function clientMessageIdOf(body: RefusedRequest["body"]): string | null {
  const { success, data } = idSchema.safeParse(body?.client_message_id);
  return success && storableText(data) === data && withoutSecrets(data) === data ? data : null;
}

/** Longer than any number with all that is written between its digits. */
const NUMBER_LENGTH_MAX = 100;

/** For whom a body was meant: the number and the conversation that it names, each null where it names none. */
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

/** A field's name, or an index. Neither a number of a phone nor a key is taken for one. */
const NAME = /^(?:[A-Za-z_][\w-]{0,39}(?:\[\])?|\d{1,3})$/;

/**
 * The path of a field as it may be kept. Names in it can be the client's, who may have written there what belongs in a
 * value: what doesn't look like a name is left out.
 */
export function keptField(field: string | undefined): string | null {
  if (field === undefined) return null;
  const names = field.split(".");
  return names.map((name) => (NAME.test(name) ? name : "…")).join(".");
}
