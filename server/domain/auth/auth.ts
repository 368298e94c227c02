import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Logger } from "pino";
import { accounts, newId, sessions, twoFactors, users, verifications } from "@/db/schema";
import { perServices, type Services } from "@/server/core/context";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "./user";
import { noteFailure } from "./ask";
import { recordAccountAct } from "./record";

export const AUTH_PATH = "/api/auth";
/**
 * The header that passes the client's address to better-auth. The mount sets it; a client's own value is never used.
 */
export const ADDRESS_HEADER = "x-waypost-address";
/** Used if no public URL is known. It is never sent to anybody. */
export const LOCAL_ORIGIN = "http://localhost";

const DAY_SECONDS = 24 * 60 * 60;
/** Lifetime of an unused session. */
const SESSION_SECONDS = 7 * DAY_SECONDS;

/**
 * Creates better-auth, which handles identity only. Organizations, members and invitations are Waypost's own verbs. It
 * creates no accounts and keeps no session in a cookie: a revoked session ends with the next request.
 */
export const authOf = perServices((services: Services) => {
  const { config, orm, vault, passwords, log } = services;
  return betterAuth({
    appName: "Waypost",
    baseURL: config.publicUrl ?? LOCAL_ORIGIN,
    basePath: AUTH_PATH,
    secret: vault.derive("better-auth"),
    database: drizzleAdapter(orm, {
      provider: "pg",
      schema: {
        user: users,
        session: sessions,
        account: accounts,
        verification: verifications,
        twoFactor: twoFactors,
      },
    }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      password: passwords,
      revokeSessionsOnPasswordReset: true,
      onPasswordReset: ({ user }, request) =>
        recordAccountAct(services, {
          userId: user.id,
          address: request?.headers.get(ADDRESS_HEADER) ?? null,
          action: "member.password_changed",
        }),
    },
    session: { expiresIn: SESSION_SECONDS, updateAge: DAY_SECONDS, cookieCache: { enabled: false } },
    verification: { storeIdentifier: "hashed" },
    advanced: {
      cookiePrefix: "waypost",
      useSecureCookies: config.publicUrl?.startsWith("https:") ?? false,
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
      // server/edge/transport/same-origin.ts has already checked every request, against the address it was sent to.
      disableCSRFCheck: true,
    },
    // The mount counts attempts, also per account.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // Errors other than its own refusals are thrown. Otherwise better-auth would print them past the log, with the
    // statement's values.
    onAPIError: { throw: true },
    logger: { level: "warn", log: authLogger(log) },
    // Its lockout would block the second factor for everybody. The mount counts attempts per place, too.
    plugins: [twoFactor({ issuer: "Waypost", accountLockout: { enabled: false } })],
  });
});

function authLogger(log: Logger) {
  return (level: "debug" | "info" | "warn" | "error", message: string, ...about: readonly unknown[]) => {
    const err = about.find((one) => one instanceof Error);
    if (err) noteFailure(err);
    log[level]({ module: "better-auth", err }, message);
  };
}
