import { eq } from "drizzle-orm";
import { z } from "zod";
import { organizations } from "@/db/schema";
import { isDeepStrictEqual } from "node:util";
import { recordAudit } from "@/server/core/audit/record";
import { requireCapability } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { codePoints, isBlank } from "@/server/lib/text";
import { WaypostError } from "@/server/platform/errors";
import { comparableWord, type MarketingWords, WORD_LENGTH_MAX, WORDS_MAX, wordsOf } from "./marketing-words";

/** Words that are the same once compared are stored once, as first given. */
const wordsSchema = z
  .array(
    z
      .string()
      .overwrite((word) => word.normalize("NFKC").trim())
      .refine((word) => !isBlank(word) && codePoints(word) <= WORD_LENGTH_MAX, {
        error: `must be words of 1 to ${WORD_LENGTH_MAX} characters`,
      })
      .refine((word) => !/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(word), { error: "must be without line breaks" }),
  )
  .max(WORDS_MAX, `must have at most ${WORDS_MAX} words`)
  .transform((words) =>
    [...new Map(words.toReversed().map((word) => [comparableWord(word), word])).values()].toReversed(),
  );

export const setMarketingWordsSchema = z.strictObject({
  optOutWords: wordsSchema,
  optInWords: wordsSchema,
});

/**
 * Sets the words by which customers opt out of marketing messages and in again. An empty list means that no word does.
 * Applies to messages that arrive from now on.
 * @throws WaypostError `validation_failed`, also for a word in both lists; `permission_denied`.
 */
export async function setMarketingWords(args: {
  ctx: Context;
  input: z.input<typeof setMarketingWordsSchema>;
}): Promise<MarketingWords> {
  const { ctx } = args;
  requireCapability(ctx.actor, "organization.manage");
  const words = parseInput(setMarketingWordsSchema, args.input);
  requireDisjoint(words);
  const { organizationId } = ctx.actor;
  await ctx.services.orm.transaction(async (tx) => {
    const [stored] = await tx
      .select({ optOutWords: organizations.optOutWords, optInWords: organizations.optInWords })
      .from(organizations)
      .where(eq(organizations.id, organizationId))
      .for("no key update");
    if (!stored) return;
    const before = wordsOf(stored);
    if (isDeepStrictEqual(before, words)) return;
    await tx.update(organizations).set(words).where(eq(organizations.id, organizationId));
    await recordAudit(tx, ctx, {
      action: "organization.marketing_words_set",
      subjectKind: "organization",
      subjectId: organizationId,
      detail: differences(before, words),
    });
  });
  return words;
}

/** The lists that differ, each with its words before and after. */
function differences(before: MarketingWords, after: MarketingWords): Readonly<Record<string, unknown>> {
  const names = (["optOutWords", "optInWords"] as const).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  return Object.fromEntries(names.map((name) => [name, { from: before[name], to: after[name] }]));
}

/** One text can't be two decisions. */
function requireDisjoint({ optOutWords, optInWords }: MarketingWords): void {
  const out = new Set(optOutWords.map(comparableWord));
  const both = optInWords.find((word) => out.has(comparableWord(word)));
  if (both === undefined) return;
  throw new WaypostError("validation_failed", {
    field: "optInWords",
    message: `“${both}” is in both lists. A word can either opt out or opt in.`,
  });
}
