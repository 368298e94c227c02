import { hashPassword } from "better-auth/crypto";
import { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { accounts, newId, users } from "@/db/schema";
import { nameSchema } from "../text";

/** As better-auth is told, too: its own defaults differ. */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email("must be an e-mail address").max(254, "must have at most 254 characters"));

export const passwordSchema = z
  .string()
  .min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`)
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`);

export const newUserSchema = z.strictObject({
  email: emailSchema,
  name: nameSchema,
  password: passwordSchema,
});

type NewUser = z.output<typeof newUserSchema> & { readonly passwordHash: string };

/** Before a transaction: it takes a tenth of a second, and no connection. */
export async function withPasswordHash(user: z.output<typeof newUserSchema>): Promise<NewUser> {
  return { ...user, passwordHash: await hashPassword(user.password) };
}

/** Makes someone who can sign in by a password. Null where the address has an account. */
export async function insertUser(tx: OrmTransaction, user: NewUser): Promise<string | null> {
  const [made] = await tx
    .insert(users)
    .values({ email: user.email, name: user.name })
    .onConflictDoNothing()
    .returning({ id: users.id });
  if (!made) return null;
  await tx.insert(accounts).values({
    id: newId(),
    userId: made.id,
    accountId: made.id,
    providerId: CREDENTIAL,
    password: user.passwordHash,
  });
  return made.id;
}

/** better-auth's name for accounts with a password. */
const CREDENTIAL = "credential";
