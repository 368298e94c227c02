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
/** Under which better-auth is told the client's address: set by the mount, never taken from the client. */
export const ADDRESS_HEADER = "x-waypost-address";
/** Where no public address is known. Nothing is told to anybody by it. */
export const LOCAL_ORIGIN = "http://localhost";

const DAY_SECONDS = 24 * 60 * 60;
/** How long a session lasts that nobody uses. */
const SESSION_SECONDS = 7 * DAY_SECONDS;

/**
 * better-auth, for identity only: who somebody is. Organizations, members and invitations are verbs of ours. It makes no
 * accounts and keeps no session in a cookie: one that is revoked ends with the next request.
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
      // server/edge/transport/same-origin.ts has looked at every request already, by the address that it came to.
      disableCSRFCheck: true,
    },
    // The mount counts attempts, by account too.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    // What isn't a refusal of its own is thrown. It would print it past the log, with the values of the statement.
    onAPIError: { throw: true },
    logger: { level: "warn", log: authLogger(log) },
    // It would lock the second factor for everyone. The mount counts attempts by place, too.
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
