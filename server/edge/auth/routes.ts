import { z } from "zod";
import type { ErrorCode } from "@/server/platform/errors";
import { tokenSchema } from "@/server/domain/members/token";
import { emailSchema, passwordSchema } from "@/server/domain/auth/user";
import type { AccountAction } from "@/server/domain/auth/record";

export interface Route {
  readonly input: z.ZodType<Readonly<Record<string, unknown>>>;
  /** What of better-auth's answer goes on to the browser. */
  readonly output: z.ZodType;
  readonly needsSession: boolean;
  /** Whether it takes something that could be guessed. */
  readonly isGuess: boolean;
  /** Whether that is a second factor; otherwise it is a password or a link. */
  readonly isSecondFactor?: boolean;
  /** Whether the code that it takes signs in only once, which better-auth itself doesn't see to. */
  readonly isOneTime?: boolean;
  /** Where it sets a `newPassword`: whose, that of the session or of the link. */
  readonly setsPasswordOf?: "session" | "link";
  /** better-auth's names of refusals, or the status of one that has none, as codes of the catalogue. */
  readonly refusals: Readonly<Record<string, ErrorCode>>;
  /** What the audit log is to say of a success, when the answer or the session tells whose account it is about. */
  readonly act:
    AccountAction | { readonly signedIn: AccountAction; readonly signingIn: AccountAction } | null;
}

const nothing = z.object({}).transform(() => ({}));
const givenPassword = z.string().min(1, "is missing").max(1000, "is too long");
/** As people type it: authenticator apps show a gap in the middle. */
const totpCode = z
  .string()
  .transform((text) => text.replaceAll(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, "must be the six digits that the app shows"));
const recoveryCode = z.string().trim().min(1, "is missing").max(100, "is too long");
const recoveryCodes = z.array(z.string());

const SECOND_FACTOR_REFUSALS = {
  // Somebody else took a recovery code at the same moment.
  "409": "second_factor_wrong",
  INVALID_CODE: "second_factor_wrong",
  INVALID_BACKUP_CODE: "second_factor_wrong",
  BACKUP_CODES_NOT_ENABLED: "second_factor_wrong",
  TOTP_NOT_ENABLED: "second_factor_wrong",
  TWO_FACTOR_NOT_ENABLED: "second_factor_wrong",
  INVALID_TWO_FACTOR_COOKIE: "sign_in_expired",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "too_many_attempts",
} as const satisfies Record<string, ErrorCode>;

/** The paths of better-auth that browsers may ask, below `/api/auth`. All are POST. */
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
