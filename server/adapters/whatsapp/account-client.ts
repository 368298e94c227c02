import { z } from "zod";
import { graphCall, type GraphAnswer } from "./exchange";
import { keptWords } from "./graph-error";

/** Address and token of a call that needs no account. */
export interface TokenCaller {
  readonly baseUrl: string;
  readonly accessToken: string;
}

export interface AccountCaller extends TokenCaller {
  readonly wabaId: string;
}

type Failure = Exclude<GraphAnswer, { kind: "answered" }>;

/** An access token, as the upstream describes it. */
export type TokenDescription =
  | {
      readonly kind: "described";
      readonly isValid: boolean;
      readonly appId: string | null;
      readonly appName: string | null;
      /** Null if the upstream doesn't list them. */
      readonly permissions: readonly string[] | null;
      /** Null if it never expires. */
      readonly expiresAt: Date | null;
      /** Why it isn't valid, in the upstream's words. */
      readonly reason: string | null;
    }
  | Failure;

export interface AccountNumber {
  readonly id: string;
  readonly displayPhoneNumber: string | null;
}

export type NumberList =
  | {
      readonly kind: "listed";
      readonly numbers: readonly AccountNumber[];
      /** False if there may be more. */
      readonly isComplete: boolean;
    }
  | Failure;

export type AppList =
  | { readonly kind: "listed"; readonly apps: readonly { readonly id: string }[] }
  | Failure;

/** Short, because a person is waiting. */
const CALL_TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 256 * 1024;
const LIMITS = { timeoutMs: CALL_TIMEOUT_MS, answerBytesMax: ANSWER_BYTES_MAX };
const PAGE_SIZE = "100";
const PAGES_MAX = 10;

const id = z.union([z.string().min(1), z.number().transform(String)]);
const words = z.string().transform(keptWords);

const tokenSchema = z.object({
  data: z.object({
    is_valid: z.boolean(),
    app_id: id.optional().catch(undefined),
    application: words.optional().catch(undefined),
    scopes: z.array(z.string()).optional().catch(undefined),
    expires_at: z.number().nonnegative().optional().catch(undefined),
    error: z.object({ code: z.number(), message: words }).optional().catch(undefined),
  }),
});

const numbersSchema = z.object({
  data: z.array(z.object({ id, display_phone_number: words.optional().catch(undefined) })),
  paging: z
    .object({ next: z.string().optional(), cursors: z.object({ after: z.string() }).optional() })
    .optional()
    .catch(undefined),
});

const appsSchema = z.object({ data: z.array(z.object({ whatsapp_business_api_data: z.object({ id }) })) });

/**
 * Reads app, permissions and expiry of the token, with itself
 * (https://developers.facebook.com/docs/graph-api/reference/debug_token). Never throws.
 */
export async function describeToken({ baseUrl, accessToken }: TokenCaller): Promise<TokenDescription> {
  const query = { input_token: accessToken };
  const answer = await graphCall({ ...LIMITS, baseUrl, accessToken, path: "debug_token", query });
  if (answer.kind !== "answered") return answer;
  const read = tokenSchema.safeParse(answer.json);
  if (!read.success) return unreadable("a description of the token");
  const { is_valid: isValid, app_id, application, scopes, expires_at: expiry = 0, error } = read.data.data;
  return {
    kind: "described",
    isValid,
    appId: app_id ?? null,
    appName: application ?? null,
    permissions: scopes ?? null,
    expiresAt: expiry === 0 ? null : dateOf(expiry),
    reason: error === undefined ? null : `(#${error.code}) ${error.message}`,
  };
}

/** Checks whether the account's templates are readable: the account exists, and the token may see it. Never throws. */
export async function readAccount(caller: AccountCaller): Promise<GraphAnswer> {
  const query = { fields: "id", limit: "1" };
  return graphCall({ ...LIMITS, ...addressOf(caller, "message_templates"), query });
}

/**
 * Lists the numbers of an account
 * (https://developers.facebook.com/docs/graph-api/reference/whats-app-business-account/phone_numbers). Never throws.
 */
export async function listNumbers(caller: AccountCaller): Promise<NumberList> {
  const numbers: AccountNumber[] = [];
  let after: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { fields: "id,display_phone_number", limit: PAGE_SIZE, ...(after && { after }) };
    const answer = await graphCall({ ...LIMITS, ...addressOf(caller, "phone_numbers"), query });
    if (answer.kind !== "answered") return answer;
    const read = numbersSchema.safeParse(answer.json);
    if (!read.success) return unreadable("a list of numbers");
    for (const number of read.data.data) {
      numbers.push({ id: number.id, displayPhoneNumber: number.display_phone_number ?? null });
    }
    const { paging } = read.data;
    if (paging?.next === undefined) return { kind: "listed", numbers, isComplete: true };
    after = paging.cursors?.after;
    if (after === undefined) break;
  }
  return { kind: "listed", numbers, isComplete: false };
}

/**
 * Lists the apps that receive callbacks of an account
 * (https://developers.facebook.com/docs/graph-api/reference/whats-app-business-account/subscribed_apps). Never throws.
 */
export async function listSubscribedApps(caller: AccountCaller): Promise<AppList> {
  const answer = await graphCall({ ...LIMITS, ...addressOf(caller, "subscribed_apps") });
  if (answer.kind !== "answered") return answer;
  const read = appsSchema.safeParse(answer.json);
  if (!read.success) return unreadable("a list of apps");
  return {
    kind: "listed",
    apps: read.data.data.map(({ whatsapp_business_api_data: app }) => ({ id: app.id })),
  };
}

/** Subscribes the token's app to callbacks of an account. It can be repeated. Never throws. */
export async function subscribeApp(caller: AccountCaller): Promise<GraphAnswer> {
  return graphCall({ ...LIMITS, ...addressOf(caller, "subscribed_apps"), body: {} });
}

function addressOf({ baseUrl, wabaId, accessToken }: AccountCaller, edge: string) {
  return { baseUrl, accessToken, path: `${wabaId}/${edge}` };
}

function unreadable(expected: string): Failure {
  return { kind: "failed", reason: `the answer isn't ${expected}` };
}

/** Null for a time that JavaScript can't represent. */
function dateOf(seconds: number): Date | null {
  const date = new Date(seconds * 1000);
  return Number.isNaN(date.getTime()) ? null : date;
}
