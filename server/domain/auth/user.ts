import { z } from "zod";
import type { OrmTransaction } from "@/db/client";
import { accounts, newId, users } from "@/db/schema";
import type { Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { nameSchema } from "@/server/lib/text";
import { isCommon, nameWithin } from "./guessable";

/** Also passed to better-auth, whose default differs. */
export const PASSWORD_LENGTH_MIN = 12;
export const PASSWORD_LENGTH_MAX = 128;

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email("must be an email address").max(254, "must have at most 254 characters"));

export const passwordSchema = z
  .string()
  .min(PASSWORD_LENGTH_MIN, `must have at least ${PASSWORD_LENGTH_MIN} characters`)
  .max(PASSWORD_LENGTH_MAX, `must have at most ${PASSWORD_LENGTH_MAX} characters`)
  .refine(
    (password) => !isCommon(password),
    "is easy to guess. Choose another one, such as a sentence that nobody else would think of",
  );

export const newUserShape = { email: emailSchema, name: nameSchema, password: passwordSchema } as const;

interface Chosen {
  readonly email: string;
  readonly password: string;
}

/** A check for schemas with `newUserShape`: the password must not contain what others know of the person. */
export function checkPasswordIsOwn({ email, password }: Chosen, ctx: z.RefinementCtx): void {
  const words = nameFault(email, password);
  if (words !== null) ctx.addIssue({ code: "custom", path: ["password"], message: words });
}

/** The same for the password of a known address. @throws WaypostError `validation_failed` at the field. */
export function requirePasswordIsOwn({ email, password }: Chosen, field: string): void {
  const words = nameFault(email, password);
  if (words !== null)
    throw new WaypostError("validation_failed", { field, message: `\`${field}\` ${words}.` });
}

function nameFault(email: string, password: string): string | null {
  const name = nameWithin(password, email);
  return name === null ? null : `can't contain “${name}”, because it is easy to guess`;
}

interface User extends Chosen {
  readonly name: string;
}

interface NewUser extends User {
  readonly passwordHash: string;
}

/** Hashes the password. Call it before a transaction: it takes a tenth of a second, and no connection. */
export async function withPasswordHash({ passwords }: Services, user: User): Promise<NewUser> {
  return { ...user, passwordHash: await passwords.hash(user.password) };
}

/** Inserts a user who can sign in by password. Returns null if the address already has an account. */
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
