import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { users } from "@/db/schema";
import { recordAccountActIn } from "@/server/domain/auth/record";
import type { PersonContext } from "@/server/core/context";
import { parseInput } from "@/server/core/input/parse-input";
import { nameSchema } from "@/server/lib/text";

export const renameSchema = z.strictObject({ name: nameSchema });

/** Changes the person's name, in all of their organizations. @throws WaypostError `validation_failed`. */
export async function renamePerson(args: {
  ctx: PersonContext;
  input: z.input<typeof renameSchema>;
}): Promise<{ name: string }> {
  const { services, person } = args.ctx;
  const { name } = parseInput(renameSchema, args.input);
  await services.orm.transaction(async (tx) => {
    const isPerson = eq(users.id, person.userId);
    const [before] = await tx.select({ name: users.name }).from(users).where(isPerson).for("update");
    if (before === undefined || before.name === name) return;
    await tx
      .update(users)
      .set({ name, updatedAt: sql`clock_timestamp()` })
      .where(isPerson);
    const detail = { from: before.name, to: name };
    await recordAccountActIn(tx, services, { ...person, action: "member.renamed", detail });
  });
  return { name };
}
