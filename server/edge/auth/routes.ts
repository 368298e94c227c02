import { z } from "zod";
import type { ErrorCode } from "@/server/platform/errors";
import { tokenSchema } from "@/server/domain/members/token";
import { emailSchema, passwordSchema } from "@/server/domain/auth/user";
import type { AccountAction } from "@/server/domain/auth/record";

export interface Route {
  readonly input: z.ZodType<Readonly<Record<string, unknown>>>;
  /** The part of better-auth's response that is passed to the browser. */
  readonly output: z.ZodType;
  readonly needsSession: boolean;
  /** True if the input contains something that could be guessed. */
  readonly isGuess: boolean;
  /** True if the value that can be guessed is a second factor. Otherwise it is a password or a link. */
  readonly isSecondFactor?: boolean;
  /** True if its code signs in only once. better-auth itself doesn't enforce that. */
  readonly isOneTime?: boolean;
  /** If it sets a `newPassword`: the account is that of the session or that of the link. */
  readonly setsPasswordOf?: "session" | "link";
  /** Maps better-auth's error names, or the status of an error without a name, to codes of the catalogue. */
  readonly refusals: Readonly<Record<string, ErrorCode>>;
  /** The audit entry of a success, once the response or the session identifies the account. */
  readonly act:
    | AccountAction
    | { readonly signedIn: AccountAction; readonly signingIn: AccountAction }
    | null;
}

const nothing = z.object({}).transform(() => ({}));
const givenPassword = z.string().min(1, "is missing").max(1000, "is too long");
/** As people type it: authenticator apps show a space in the middle. */
const totpCode = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "must be the six digits that the app shows"));
const recoveryCode = z.string().trim().min(1, "is missing").max(100, "is too long");
const recoveryCodes = z.array(z.string());

const SECOND_FACTOR_REFUSALS = {
  // Another request used the same recovery code at the same time.
  "409": "second_factor_wrong",
  INVALID_CODE: "second_factor_wrong",
  INVALID_BACKUP_CODE: "second_factor_wrong",
  BACKUP_CODES_NOT_ENABLED: "second_factor_wrong",
  TOTP_NOT_ENABLED: "second_factor_wrong",
  TWO_FACTOR_NOT_ENABLED: "second_factor_wrong",
  INVALID_TWO_FACTOR_COOKIE: "sign_in_expired",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "too_many_attempts",
} as const satisfies Record<string, ErrorCode>;

/** The paths of better-auth that browsers may use, below `/api/auth`. All are POST. */
export const ROUTES: Readonly<Record<string, Route>> = {
  "/sign-in/email": {
    input: z.strictObject({ email: emailSchema, password: givenPassword }),
    output: z
      .object({ twoFactorRedirect: z.boolean().default(false) })
      .transform(({ twoFactorRedirect }) => ({ needsSecondFactor: twoFactorRedirect })),
    needsSession: false,
    isGuess: true,
    refusals: { INVALID_EMAIL_OR_PASSWORD: "sign_in_failed", INVALID_EMAIL: "sign_in_failed" },
    act: "member.signed_in",
  },
  "/two-factor/verify-totp": {
    input: z.strictObject({ code: totpCode }),
    output: nothing,
    needsSession: false,
    isGuess: true,
    isSecondFactor: true,
    isOneTime: true,
    refusals: SECOND_FACTOR_REFUSALS,
    act: { signedIn: "member.two_factor_enabled", signingIn: "member.signed_in" },
  },
  "/two-factor/verify-backup-code": {
    input: z.strictObject({ code: recoveryCode }),
    output: nothing,
    needsSession: false,
    isGuess: true,
    isSecondFactor: true,
    refusals: SECOND_FACTOR_REFUSALS,
    act: "member.signed_in",
  },
  "/sign-out": {
    input: z.strictObject({}),
    output: nothing,
    needsSession: false,
    isGuess: false,
    refusals: {},
    act: null,
  },
  "/two-factor/enable": {
    input: z.strictObject({ password: givenPassword }),
    output: z
      .object({ totpURI: z.string(), backupCodes: recoveryCodes })
      .transform(({ totpURI, backupCodes }) => ({ totpUri: totpURI, recoveryCodes: backupCodes })),
    needsSession: true,
    isGuess: true,
    refusals: { INVALID_PASSWORD: "password_wrong", TOTP_ALREADY_ENABLED: "second_factor_on" },
    act: null,
  },
  "/two-factor/disable": {
    input: z.strictObject({ password: givenPassword }),
    output: nothing,
    needsSession: true,
    isGuess: true,
    refusals: { INVALID_PASSWORD: "password_wrong" },
    act: "member.two_factor_disabled",
  },
  "/two-factor/generate-backup-codes": {
    input: z.strictObject({ password: givenPassword }),
    output: z
      .object({ backupCodes: recoveryCodes })
      .transform(({ backupCodes }) => ({ recoveryCodes: backupCodes })),
    needsSession: true,
    isGuess: true,
    refusals: { INVALID_PASSWORD: "password_wrong", TWO_FACTOR_NOT_ENABLED: "second_factor_wrong" },
    act: "member.recovery_codes_renewed",
  },
  "/change-password": {
    input: z
      .strictObject({ currentPassword: givenPassword, newPassword: passwordSchema })
      .transform((input) => ({ ...input, revokeOtherSessions: true })),
    output: nothing,
    needsSession: true,
    isGuess: true,
    setsPasswordOf: "session",
    refusals: { INVALID_PASSWORD: "password_wrong", CREDENTIAL_ACCOUNT_NOT_FOUND: "password_wrong" },
    act: "member.password_changed",
  },
  "/reset-password": {
    input: z.strictObject({ token: tokenSchema, newPassword: passwordSchema }),
    output: nothing,
    needsSession: false,
    isGuess: true,
    setsPasswordOf: "link",
    refusals: { INVALID_TOKEN: "link_invalid", USER_NOT_FOUND: "link_invalid" },
    act: null,
  },
};
