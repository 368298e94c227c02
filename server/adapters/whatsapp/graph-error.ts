import { z } from "zod";
import { storableText } from "@/server/lib/text";
import { maybe, maybeText } from "./fields";

/** What an error of the Graph API says. */
export interface GraphError {
  readonly code: number | null;
  /** Meta's title of the code; null where it gave none that can be shown to everybody. */
  readonly title: string | null;
  /** Meta's own words, the most telling ones, so that they can be stored; null where there are none. */
  readonly words: string | null;
}

/** Codes of the Graph API are small whole numbers, at times written as text. */
const graphCode = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .refine((code) => Number.isInteger(code) && code >= 0 && code < 2 ** 31);

/** A part that can't be read doesn't take the others with it. */
const graphError = z.object({
  code: maybe(graphCode),
  title: maybeText,
  message: maybeText,
  error_user_title: maybeText,
  error_user_msg: maybeText,
  error_data: maybe(z.object({ details: maybeText })),
});

const WORDS_LENGTH_MAX = 500;

/** The upstream's words as they are kept: however long they are, and whatever they are made of. */
export function keptWords(words: string): string {
  return storableText(words.slice(0, WORDS_LENGTH_MAX));
}

/**
 * Reads an error as answers and callbacks bring it
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes).
 * @returns null for what says nothing.
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
/** Five digits, in whatever groups, may be a number; a word of 25 characters may be a token. No title of Meta's has them. */
const TELLTALE = /(?:\p{N}\P{N}*){5}|[^ ]{25}/u;

/** Integrators see titles: one that could hold a token, a number or a text is none. */
function plainTitle(title: string | undefined): string | null {
  const trimmed = title?.trim() ?? "";
  return TITLE.test(trimmed) && !TELLTALE.test(trimmed) ? trimmed : null;
}

const failedAnswer = z.object({ error: z.unknown() });

/** The error that an answer consists of; null for any other answer. */
export function graphErrorIn(answer: unknown): GraphError | null {
  const { data } = failedAnswer.safeParse(answer);
  return data ? readGraphError(data.error) : null;
}
