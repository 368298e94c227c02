import type { Executor } from "@/db/client";
import { codePoints } from "@/server/lib/text";
import { DEFAULT_OPT_IN_WORDS, DEFAULT_OPT_OUT_WORDS } from "./default-words";

export const WORD_LENGTH_MAX = 40;
/** Maximum number of words in each list. */
export const WORDS_MAX = 100;

/** Words that an organization takes as a customer's decision about marketing messages. */
export interface MarketingWords {
  readonly optOutWords: readonly string[];
  readonly optInWords: readonly string[];
}

/** Null means that the organization hasn't set words of its own. */
export interface StoredWords {
  readonly optOutWords: readonly string[] | null;
  readonly optInWords: readonly string[] | null;
}

/** Returns the words that apply. */
export function wordsOf({ optOutWords, optInWords }: StoredWords): MarketingWords {
  return {
    optOutWords: optOutWords ?? DEFAULT_OPT_OUT_WORDS,
    optInWords: optInWords ?? DEFAULT_OPT_IN_WORDS,
  };
}

/**
 * Returns the form in which words are compared: trimmed, in lower case, and one form of each character. The Turkish i
 * with and without a dot is one character, because İ in lower case is two, and I in lower case has a dot.
 */
export function comparableWord(text: string): string {
  return text
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/i\u0307|ı/gu, "i")
    .normalize("NFC");
}

/** Many characters can be written with two code points, which normalizing joins, and people add spaces. */
const COMPARED_LENGTH_MAX = 4 * WORD_LENGTH_MAX;

/**
 * Returns the decision about marketing messages that a customer's whole text is: false for an opt-out word of the
 * organization, true for an opt-in word, null for any other text.
 */
export async function decisionOfWord(
  sql: Executor,
  organizationId: string,
  text: string,
): Promise<boolean | null> {
  if (text.length > COMPARED_LENGTH_MAX) return null;
  const said = comparableWord(text);
  if (said === "" || codePoints(said) > WORD_LENGTH_MAX) return null;
  const [stored] = await sql<StoredWords[]>`
    select opt_out_words as "optOutWords", opt_in_words as "optInWords" from organizations
    where id = ${organizationId}`;
  if (!stored) return null;
  const { optOutWords, optInWords } = wordsOf(stored);
  const isSaid = (word: string) => comparableWord(word) === said;
  if (optOutWords.some(isSaid)) return false;
  return optInWords.some(isSaid) ? true : null;
}
