import type { Services } from "@/server/core/context";
import {
  describeToken,
  listNumbers,
  listSubscribedApps,
  readAccount,
  type TokenDescription,
} from "@/server/adapters/whatsapp/account-client";
import type { GraphAnswer } from "@/server/adapters/whatsapp/exchange";
import { upstreamOutcome } from "@/server/adapters/whatsapp/outcomes";
import { isWaypostError } from "@/server/platform/errors";
import { tryCredentials } from "./try-credentials";

/** The checks of a number, in their order: each relies on those before it. */
export const NUMBER_CHECKS = ["token", "account", "number", "secret", "webhooks"] as const;
export type NumberCheck = (typeof NUMBER_CHECKS)[number];

/** A number at Meta with its credentials, before it is saved. */
export interface AskedNumber {
  readonly phoneNumberId: string;
  readonly wabaId: string;
  readonly accessToken: string;
  readonly appSecret: string;
}

export type CheckResult =
  | {
      readonly kind: "passed";
      readonly detail: string;
      /** A finding that needs attention later. */
      readonly warning: string | null;
      /** The number as people write it, from the check that reads it. */
      readonly displayPhoneNumber?: string;
    }
  | CheckFailure;

export interface CheckFailure {
  readonly kind: "failed";
  /** The value to correct; null if it is none of them. */
  readonly field: keyof AskedNumber | null;
  /** With a field: continues a sentence that starts with the field's name. */
  readonly message: string;
  readonly advice: string;
}

interface Asked extends AskedNumber {
  readonly baseUrl: string;
}

/** Makes one check at Meta. Never throws for an answer of Meta, or for a missing one. */
export async function runCheck(
  services: Services,
  check: NumberCheck,
  number: AskedNumber,
): Promise<CheckResult> {
  const baseUrl = services.urls.upstream("meta");
  if (baseUrl === null) return notAsked("its URL isn't known");
  const asked = { ...number, baseUrl };
  if (check === "secret") return checkSecret(services, asked);
  return CHECKS[check](asked);
}

const CHECKS = { token: checkToken, account: checkAccount, number: checkNumber, webhooks: checkWebhooks };

const PERMISSIONS = ["whatsapp_business_messaging", "whatsapp_business_management"] as const;
const TOKEN_INVALID = 190;
const NEW_TOKEN =
  "Generate a token in Meta: Business settings > Users > System users > Generate token. Choose this app, the expiration “Never”, and the permissions whatsapp_business_messaging and whatsapp_business_management.";

async function checkToken(asked: Asked): Promise<CheckResult> {
  const token = await describeToken(asked);
  if (token.kind === "failed") return notAsked(token.reason);
  if (token.kind === "refused") {
    if (token.code === TOKEN_INVALID) return failed("accessToken", refusedWords(token.reason), NEW_TOKEN);
    if (isTransient(token)) return notAsked(token.reason);
    // Meta describes a token only to its own app. The next checks use it.
    return passed("Meta doesn’t report its permissions and expiry. The next checks use it.");
  }
  if (!token.isValid) return failed("accessToken", refusedWords(token.reason ?? "no reason"), NEW_TOKEN);
  const missing = PERMISSIONS.filter((name) => !(token.permissions ?? PERMISSIONS).includes(name));
  if (missing.length > 0) {
    return failed("accessToken", `lacks the permission ${missing.join(" and ")}.`, NEW_TOKEN);
  }
  return passedToken(token);
}

function passedToken(token: Extract<TokenDescription, { kind: "described" }>): CheckResult {
  const app = token.appName === null ? "" : `Belongs to the app “${token.appName}”. `;
  const can = token.permissions === null ? "" : "It has both permissions. ";
  if (token.expiresAt === null) return passed(`${app}${can}It doesn’t expire.`);
  const when = `${token.expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return passed(
    `${app}${can}`.trim(),
    `It expires on ${when}. Sending stops then. Replace it before with a system user’s token whose expiration is “Never”.`,
  );
}

async function checkAccount(asked: Asked): Promise<CheckResult> {
  const answer = await readAccount(asked);
  if (answer.kind === "answered") return passed("The token can read the account and its templates.");
  return refusedAccount(answer, "isn't the id of an account whose templates the access token can read.");
}

async function checkNumber(asked: Asked): Promise<CheckResult> {
  const answer = await listNumbers(asked);
  if (answer.kind !== "listed") {
    return refusedAccount(answer, "isn't the id of an account whose numbers the access token can read.");
  }
  const found = answer.numbers.find(({ id }) => id === asked.phoneNumberId);
  if (found) return passed(`${found.displayPhoneNumber ?? "The number"} belongs to the account.`);
  if (!answer.isComplete) return passed("The account has too many numbers to look for this one.");
  const message = "isn't the id of a number of this account.";
  return failed("phoneNumberId", message, numbersOf(answer.numbers));
}

/** More would be hard to read. */
const NAMED_MAX = 5;

function numbersOf(numbers: readonly { id: string; displayPhoneNumber: string | null }[]): string {
  if (numbers.length === 0) return "The account has no number yet. Add one in Meta’s WhatsApp Manager.";
  const named = numbers.slice(0, NAMED_MAX).map(({ id, displayPhoneNumber: shown }) => {
    return shown === null ? id : `${id} (${shown})`;
  });
  const more = numbers.length > NAMED_MAX ? ", and others" : "";
  return `The account’s numbers have these IDs: ${named.join(", ")}${more}. If yours isn’t among them, the account ID is another account’s.`;
}

/** Reads the number with a proof of the app secret. */
async function checkSecret(services: Services, asked: Asked): Promise<CheckResult> {
  try {
    const { phoneNumberId, accessToken, appSecret } = asked;
    const trial = await tryCredentials(services, { phoneNumberId, accessToken, appSecret });
    if (trial.kind === "untried") return notAsked(trial.reason);
    const { displayPhoneNumber } = trial;
    if (displayPhoneNumber === null) return notAsked("its response doesn't contain a number");
    return { ...passed("Belongs to the same app as the token."), displayPhoneNumber };
  } catch (error) {
    if (!isWaypostError(error) || !isCredential(error.field)) throw error;
    return failed(error.field, error.message.replace(/^`\w+` /, ""), REFUSED_ADVICE[error.field]);
  }
}

const REFUSED_ADVICE = {
  accessToken: NEW_TOKEN,
  phoneNumberId: "Copy the ID again from App Dashboard > WhatsApp > API Setup > Phone number ID.",
  appSecret:
    "Copy it from the app for which the token was generated: App Dashboard > App settings > Basic > App secret.",
} as const;

const isCredential = (field: string | null | undefined): field is keyof typeof REFUSED_ADVICE =>
  field != null && Object.hasOwn(REFUSED_ADVICE, field);

async function checkWebhooks(asked: Asked): Promise<CheckResult> {
  const [token, answer] = await Promise.all([describeToken(asked), listSubscribedApps(asked)]);
  if (answer.kind !== "listed") {
    return refusedAccount(answer, "isn't the id of an account whose apps the access token can read.");
  }
  const appId = token.kind === "described" ? token.appId : null;
  const isSubscribed = appId === null ? answer.apps.length > 0 : answer.apps.some(({ id }) => id === appId);
  if (isSubscribed) return passed("The app receives the account’s events.");
  return failed(
    null,
    "The app isn’t subscribed to the account’s events.",
    "Without a subscription, Meta sends no status updates and no customer messages to Waypost. Subscribe the app here, or connect the number now and do it later.",
  );
}

function refusedAccount(answer: Exclude<GraphAnswer, { kind: "answered" }>, message: string): CheckFailure {
  if (answer.kind === "failed" || isTransient(answer)) return notAsked(answer.reason);
  if (answer.code === TOKEN_INVALID) return failed("accessToken", refusedWords(answer.reason), NEW_TOKEN);
  return failed(
    "wabaId",
    `${message} Meta says: ${answer.reason}`,
    "Copy the ID again from App Dashboard > WhatsApp > API Setup > WhatsApp Business Account ID. If it is correct, give the system user access to the account: Business settings > Users > System users > Assign assets.",
  );
}

const refusedWords = (reason: string) => `wasn't accepted. Meta says: ${reason}`;

/** Rate limits and failures of Meta say nothing about the values. */
function isTransient({ code }: { readonly code: number | null }): boolean {
  const retry = code === null ? undefined : upstreamOutcome(code)?.retry;
  return retry === "message" || retry === "conversation";
}

function notAsked(reason: string): CheckFailure {
  const message = `Meta couldn't be reached to check the number (${reason}). Nothing was saved.`;
  return failed(null, message, "Try again later.");
}

function failed(field: CheckFailure["field"], message: string, advice: string): CheckFailure {
  return { kind: "failed", field, message, advice };
}

function passed(detail: string, warning: string | null = null) {
  return { kind: "passed", detail, warning } as const;
}
