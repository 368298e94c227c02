import { join } from "node:path";
import { z } from "zod";
import { KeyedFile, readTextIfPresent, writeFileAtomically } from "./files";
import { documentedErrorNames, documentedError, type GraphError } from "./graph-errors";
import type { SimulatorLog, SimulatorContext } from "./simulator-context";

const httpUrl = z.url({ protocol: /^https?$/ });
const secret = z.string().min(1).max(512);

/** A business phone number and the app that it belongs to. */
export const phoneNumberSchema = z.strictObject({
  phone_number_id: z.string().regex(/^[0-9]{1,32}$/, "expected 1 to 32 digits"),
  waba_id: z.string().regex(/^[0-9]{1,32}$/, "expected 1 to 32 digits"),
  display_phone_number: z.string().min(1).max(32),
  access_token: secret,
  app_secret: secret,
  callback_url: httpUrl,
  verify_token: secret,
  /** Permissions of the access token. Both of WhatsApp's if absent. */
  permissions: z.array(z.string().min(1).max(100)).max(50).optional(),
  /** When the access token expires, in seconds since 1970. Never if absent or 0. */
  token_expires_at: z.int().nonnegative().optional(),
  /** False if the app isn't subscribed to its account's webhooks. Callbacks are sent nevertheless. */
  app_subscribed: z.boolean().optional(),
});

export type PhoneNumber = Readonly<z.infer<typeof phoneNumberSchema>>;

const verificationSchema = z.object({ callback_url: z.string(), verify_token: z.string() });

/** A callback address and the token that its owner must know. */
export type Verification = Readonly<z.infer<typeof verificationSchema>>;

const fileSchema = z.object({ numbers: z.array(phoneNumberSchema), verified: z.array(verificationSchema) });

/**
 * The numbers that the simulator serves, and the callback addresses that have passed Meta's verification. Stored in
 * `numbers.json`, mode 0600.
 */
export class Numbers {
  readonly #path: string;
  readonly #numbers: Map<string, PhoneNumber>;
  readonly #tokens: Set<string>;
  #verified: Verification[];
  #saving: Promise<void> = Promise.resolve();

  private constructor(path: string, content: z.infer<typeof fileSchema>) {
    this.#path = path;
    this.#numbers = new Map(content.numbers.map((number) => [number.phone_number_id, number]));
    this.#tokens = new Set(content.numbers.map((number) => number.access_token));
    this.#verified = content.verified;
  }

  static async open(directory: string): Promise<Numbers> {
    const path = join(directory, "numbers.json");
    const text = await readTextIfPresent(path);
    return new Numbers(path, text === null ? { numbers: [], verified: [] } : parseFile(text));
  }

  get(phoneNumberId: string): PhoneNumber | null {
    return this.#numbers.get(phoneNumberId) ?? null;
  }

  all(): PhoneNumber[] {
    return [...this.#numbers.values()];
  }

  /** The numbers of one WhatsApp business account. */
  ofAccount(wabaId: string): PhoneNumber[] {
    return this.all().filter(({ waba_id }) => waba_id === wabaId);
  }

  /** Returns the first number with this access token. */
  ofToken(token: string): PhoneNumber | null {
    return this.all().find(({ access_token }) => access_token === token) ?? null;
  }

  /** Returns true if any number has this access token. */
  knowsToken(token: string): boolean {
    return this.#tokens.has(token);
  }

  /** Adds or replaces numbers by `phone_number_id`. Resolves when they are on disk. */
  async upsert(numbers: readonly PhoneNumber[]): Promise<void> {
    for (const number of numbers) this.#numbers.set(number.phone_number_id, number);
    this.#tokens.clear();
    for (const number of this.#numbers.values()) this.#tokens.add(number.access_token);
    this.#verified = this.#verified.filter((entry) => this.all().some((number) => isSame(entry, number)));
    await this.#save();
  }

  isVerified(target: Verification): boolean {
    return this.#verified.some((entry) => isSame(entry, target));
  }

  async markVerified({ callback_url, verify_token }: Verification): Promise<void> {
    if (this.isVerified({ callback_url, verify_token })) return;
    this.#verified.push({ callback_url, verify_token });
    await this.#save();
  }

  #save(): Promise<void> {
    const save = () =>
      writeFileAtomically(this.#path, JSON.stringify({ numbers: this.all(), verified: this.#verified }));
    this.#saving = this.#saving.then(save, save);
    return this.#saving;
  }
}

function parseFile(text: string): z.infer<typeof fileSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The parser's own message would quote the file, which contains secrets.
    throw new Error("numbers.json is not valid JSON");
  }
  const parsed = fileSchema.safeParse(value);
  if (!parsed.success) throw new Error("numbers.json does not hold phone numbers");
  return parsed.data;
}

function isSame(left: Verification, right: Verification): boolean {
  return left.callback_url === right.callback_url && left.verify_token === right.verify_token;
}

export const failureSchema = z.object({ error: z.enum(documentedErrorNames()) });

/** The error that every send of a number fails with, by phone number id, in `failures.jsonl`. */
export type Failures = KeyedFile<z.infer<typeof failureSchema>>;

export function openFailures(directory: string, log: SimulatorLog): Promise<Failures> {
  return KeyedFile.open(join(directory, "failures.jsonl"), failureSchema, log);
}

/**
 * Returns the error for a token that may not use this number. Null if it may. Meta hides a number that the token can't
 * see.
 */
export function callerError(
  context: SimulatorContext,
  number: PhoneNumber | null,
  token: string | null,
): GraphError | null {
  if (token !== null && number?.access_token === token) return credentialFailure(context, number);
  return strangerError(context, token);
}

/** Returns the error for a token that may not use this account. Null if it may: a token of any of its numbers may. */
export function accountCallerError(
  context: SimulatorContext,
  wabaId: string,
  token: string | null,
): GraphError | null {
  const number = context.numbers.ofAccount(wabaId).find(({ access_token }) => access_token === token);
  return number === undefined ? strangerError(context, token) : credentialFailure(context, number);
}

function strangerError(context: SimulatorContext, token: string | null): GraphError {
  if (token === null || !context.numbers.knowsToken(token)) return { error: "access_token_invalid" };
  return { error: "object_unknown" };
}

function credentialFailure(context: SimulatorContext, number: PhoneNumber): GraphError | null {
  if (isExpired(context, number)) return { error: "access_token_invalid" };
  const { phone_number_id } = number;
  const error = context.failures.get(phone_number_id)?.error;
  return error !== undefined && documentedError(error).isCredential ? { error } : null;
}

/** Returns true if the number's access token has expired. */
export function isExpired({ clock }: SimulatorContext, { token_expires_at = 0 }: PhoneNumber): boolean {
  return token_expires_at > 0 && clock.now().getTime() >= token_expires_at * 1000;
}
