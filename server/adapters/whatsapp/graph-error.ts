import { z } from "zod";
import { storableText } from "@/server/lib/text";
import { maybe, maybeText } from "./fields";

/** The content of a Graph API error. */
export interface GraphError {
  readonly code: number | null;
  /** Meta's title of the code. Null if there is none that can be shown to everyone. */
  readonly title: string | null;
  /** Meta's own text, the most informative one, cleaned so that it can be stored. Null if there is none. */
  readonly words: string | null;
}

/** Codes of the Graph API are small integers, sometimes written as text. */
const graphCode = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .refine((code) => Number.isInteger(code) && code >= 0 && code < 2 ** 31);

/** An unreadable part doesn't invalidate the others. */
const graphError = z.object({
  code: maybe(graphCode),
  title: maybeText,
  message: maybeText,
  error_user_title: maybeText,
  error_user_msg: maybeText,
  error_data: maybe(z.object({ details: maybeText })),
});

const WORDS_LENGTH_MAX = 500;

/** Prepares the upstream's text for storage, whatever its length and its characters. */
export function keptWords(words: string): string {
  return storableText(words.slice(0, WORDS_LENGTH_MAX));
}

/**
 * Reads an error of a response or a callback
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes).
 * @returns null if the error is empty.
 */
export function readGraphError(error: unknown): GraphError | null {
  const { data } = graphError.safeParse(error);
  if (!data) return null;
  const words = data.error_user_msg ?? data.error_data?.details ?? data.message ?? data.title;
  if (data.code === undefined && words === undefined) return null;
  return {
    code: data.code ?? null,
    title: plainTitle(data.title ?? data.error_user_title),
    words: words === undefined ? null : keptWords(words),
  };
}

const TITLE = /^[\p{L}\p{N}\p{P} ]{1,120}$/u;
/**
 * Five digits, in any grouping, may be a phone number; a word of 25 characters may be a token. None of Meta's titles
 * contain either.
 */
const TELLTALE = /(?:\p{N}\P{N}*){5}|[^ ]{25}/u;

/**
 * Removes unsafe titles. Integrators see titles, so a title that could contain a token, a phone number or a message
 * text is dropped.
 */
function plainTitle(title: string | undefined): string | null {
  const trimmed = title?.trim() ?? "";
  return TITLE.test(trimmed) && !TELLTALE.test(trimmed) ? trimmed : null;
}

const failedAnswer = z.object({ error: z.unknown() });

/** Returns the error in an error response. Null for any other response. */
export function graphErrorIn(answer: unknown): GraphError | null {
  const { data } = failedAnswer.safeParse(answer);
  return data ? readGraphError(data.error) : null;
}
