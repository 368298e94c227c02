import path from "node:path";
import { z } from "zod";
import {
  INNGEST_VARIABLES,
  type InngestConfig,
  inngestConfig,
  inngestContradictions,
} from "./inngest-config";
import {
  type LimiterConfig,
  LIMITER_VARIABLES,
  limiterConfig,
  limiterContradictions,
} from "./limiter-config";
import { type UploadsConfig, UPLOADS_VARIABLES, uploadsConfig } from "./uploads-config";
import { allowedHost, proxyRange } from "./addresses";

/** Minimum length of `WAYPOST_METRICS_TOKEN`: shorter tokens can be guessed. */
export const TOKEN_LENGTH_MIN = 16;

export const ROLES_OF_PROCESS = ["all", "api", "admin", "jobs"] as const;
export type ProcessRole = (typeof ROLES_OF_PROCESS)[number];

/** Every variable that Waypost reads, its expected value and its purpose. An empty value counts as absent. */
const VARIABLES = {
  PORT: {
    schema: z.coerce.number().int().min(0).max(65535).default(3000),
    expected: "a port number from 0 to 65535 (0 takes any free one)",
    purpose: "Port that the service listens on",
  },
  HOST: {
    schema: z.string().optional(),
    expected: "an address to listen on",
    purpose: "Address that the service listens on. All addresses if not set",
  },
  WAYPOST_DATA_DIR: {
    schema: z.string().optional(),
    expected: "a directory",
    purpose: "Directory for the data of the embedded parts. `data` in the checkout if not set",
  },
  WAYPOST_ATTACH: {
    schema: z.string().optional(),
    expected: "the data directory of a running Waypost to work for",
    purpose: "Makes this an additional process that uses the database of the process that owns the directory",
  },
  WAYPOST_PUBLIC_URL: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    expected: "the http(s) address under which this service is reached",
    purpose: "Public address of this service. It is used in links and callback URLs",
  },
  WAYPOST_ROLE: {
    schema: z.enum(ROLES_OF_PROCESS).default("all"),
    expected: `one of ${ROLES_OF_PROCESS.join(", ")}`,
    purpose: "Role of this process: everything, or only the API, the pages or the jobs",
  },
  WAYPOST_SECRET: {
    schema: z.string().min(32).optional(),
    expected: "a random secret of at least 32 characters, the same for every process",
    purpose: "Encrypts access tokens and other secrets. Required with `DATABASE_URL`, otherwise generated",
  },
  WAYPOST_SEND_SLOTS: {
    schema: z.coerce.number().int().min(1).max(1000).default(64),
    expected: "a whole number from 1 to 1000: calls upstream at once",
    purpose: "Maximum of concurrent calls to WhatsApp, per process. One number uses at most half of them",
  },
  WAYPOST_WEBHOOK_SLOTS: {
    schema: z.coerce.number().int().min(1).max(1000).default(128),
    expected: "a whole number from 1 to 1000: calls to webhook endpoints at once",
    purpose:
      "Maximum number of concurrent calls to webhook endpoints, per process. One endpoint gets at most 32 calls at once, across all processes",
  },
  WAYPOST_CALLBACK_MIB_PER_MINUTE: {
    schema: z.coerce.number().int().min(5).max(100_000).default(256),
    expected: "a whole number from 5 to 100000: MiB of callbacks per minute",
    purpose:
      "Maximum amount of signed callbacks of one channel that a process accepts per minute, in MiB. Beyond it, WhatsApp is asked to retry. Up to four times as much may wait to be processed",
  },
  WAYPOST_DRAIN_SECONDS: {
    schema: z.coerce.number().int().min(0).max(300).optional(),
    expected: "a whole number of seconds from 0 to 300",
    purpose:
      "Time after SIGTERM during which requests are still accepted while `/readyz` responds with 503, so that a proxy can notice. If not set: 5 if other processes take over (`DATABASE_URL`, `WAYPOST_ATTACH`), otherwise 0",
  },
  WAYPOST_SIMULATOR_PORT: {
    schema: z.coerce.number().int().min(0).max(65535).default(0),
    expected: "a port number from 0 to 65535 (0 takes any free one)",
    purpose: "Port of the WhatsApp simulator, on the loopback address",
  },
  WAYPOST_SIMULATOR_URL: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    expected: "the http(s) address of a simulator that runs on its own",
    purpose: "A separate simulator (`npm run simulator` in the checkout) that replaces the built-in one",
  },
  WAYPOST_PUBLIC_API_MOUNT: {
    schema: z.enum(["node", "next"]).default("node"),
    expected: "node or next: which server answers the public API",
    purpose: "Server that handles the public API. `next` is slower, for platforms that run only Next.js",
  },
  WAYPOST_GRAPH_URL: {
    schema: z.url({ protocol: /^https?$/ }).default("https://graph.facebook.com"),
    expected: "the http(s) address of Meta's Graph API",
    purpose: "Address of Meta's WhatsApp Cloud API",
  },
  WAYPOST_UNCONFIRMED_AFTER_SECONDS: {
    schema: z.coerce.number().int().min(60).max(86_400).default(900),
    expected: "a whole number of seconds from 60 to 86400",
    purpose: "Time after which a message without any news from WhatsApp fails as `upstream_unconfirmed`",
  },
  WAYPOST_TRUSTED_PROXIES: {
    schema: z
      .string()
      .transform((list) => list.split(",").map((entry) => proxyRange(entry.trim())))
      .pipe(z.array(z.string()))
      .default([]),
    expected: "addresses or ranges such as 10.0.0.0/8, with commas between them",
    purpose:
      "Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted for the client address and the scheme of a request, in addition to proxies on the same machine",
  },
  ALLOWED_PRIVATE_HOSTS: {
    schema: z
      .string()
      .transform((list) => list.split(",").map((entry) => allowedHost(entry.trim())))
      .pipe(z.array(z.string()))
      .default([]),
    expected: "host:port, or several with commas between them",
    purpose:
      "Hosts that are allowed in URLs of media and webhooks although they aren't public, also with plain http",
  },
  DATABASE_URL: {
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\//)
      .optional(),
    expected: "a postgres:// address",
    purpose: "PostgreSQL 14 or newer, in place of the embedded one, also behind a pooler such as PgBouncer",
  },
  ...UPLOADS_VARIABLES,
  ...LIMITER_VARIABLES,
  ...INNGEST_VARIABLES,
  WAYPOST_METRICS_TOKEN: {
    schema: z.string().min(TOKEN_LENGTH_MIN).regex(/^\S+$/).optional(),
    expected: `at least ${TOKEN_LENGTH_MIN} characters without spaces`,
    purpose: "Token for reading `/metrics`. If not set, the token is in the data directory",
  },
  LOG_LEVEL: {
    schema: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
    expected: "one of trace, debug, info, warn, error, fatal, silent",
    purpose: "Log level. Logs are JSON lines on standard error",
  },
} as const satisfies Record<string, { schema: z.ZodType; expected: string; purpose: string }>;

export interface VariableDescription {
  readonly name: string;
  /** The value that is used if the variable isn't set. Null if there is none. */
  readonly defaultValue: string | null;
  readonly expected: string;
  readonly purpose: string;
}

/** Describes every variable, in the words of the documentation. */
export function describeVariables(): readonly VariableDescription[] {
  return Object.entries(VARIABLES).map(([name, { schema, expected, purpose }]) => {
    const value: unknown = schema.safeParse(undefined).data;
    const isShown = typeof value === "string" || typeof value === "number";
    return { name, defaultValue: isShown ? String(value) || null : null, expected, purpose };
  });
}

export const VARIABLE_NAMES: readonly string[] = Object.keys(VARIABLES);

type Variables = { [N in keyof typeof VARIABLES]: z.output<(typeof VARIABLES)[N]["schema"]> };

export interface Config {
  readonly appRoot: string;
  readonly port: number;
  /** Undefined listens on every address, IPv6 and IPv4. */
  readonly host: string | undefined;
  /** Absolute path. */
  readonly dataDir: string;
  /** Absolute data directory of the owner that this process works for, instead of owning one. */
  readonly attachTo: string | null;
  readonly publicUrl: string | null;
  readonly role: ProcessRole;
  /** `node` is several times faster. `next` is for platforms that only run Next. */
  readonly publicApiMount: "node" | "next";
  /** Null: the secret in the data directory. */
  readonly secret: string | null;
  readonly sendSlots: number;
  readonly webhookSlots: number;
  /** Limit of one channel, per process. */
  readonly callbackMibPerMinute: number;
  /** Time from SIGTERM until the process accepts no more requests. */
  readonly drainMs: number;
  readonly simulator: { readonly port: number; readonly url: string | null };
  readonly graphUrl: string;
  readonly unconfirmedAfterSeconds: number;
  /** Addresses and ranges whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted, in addition to loopback. */
  readonly trustedProxies: readonly string[];
  /** Values of `host:port` that may be called although they aren't public, also by plain http. */
  readonly allowedPrivateHosts: ReadonlySet<string>;
  readonly databaseUrl: string | null;
  readonly uploads: UploadsConfig;
  readonly limiter: LimiterConfig;
  /** Null: the embedded executor. */
  readonly inngest: InngestConfig | null;
  /** Null: the token in the data directory. */
  readonly metricsToken: string | null;
  readonly logLevel: Variables["LOG_LEVEL"];
  readonly isProduction: boolean;
}

/** Error for an unusable configuration. The message has one line for each invalid variable. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`Waypost can't start with this configuration:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    this.name = "ConfigError";
  }
}

/**
 * Reads the configuration from the environment.
 * @throws ConfigError naming every invalid variable and its expected value. Actual values are not repeated, because
 * they may be secrets.
 */
export function readConfig(env: NodeJS.ProcessEnv, appRoot: string): Config {
  const problems: string[] = [];
  const v = readVariables(env, problems);
  if (v === null) throw new ConfigError(problems);
  problems.push(...contradictions(v));
  if (problems.length > 0) throw new ConfigError(problems);
  return {
    appRoot,
    port: v.PORT,
    host: v.HOST,
    dataDir: path.resolve(
      /* turbopackIgnore: true */ v.WAYPOST_ATTACH ?? v.WAYPOST_DATA_DIR ?? path.join(appRoot, "data"),
    ),
    attachTo: v.WAYPOST_ATTACH === undefined ? null : path.resolve(v.WAYPOST_ATTACH),
    publicUrl: v.WAYPOST_PUBLIC_URL?.replace(/\/+$/, "") ?? null,
    role: v.WAYPOST_ROLE,
    publicApiMount: v.WAYPOST_PUBLIC_API_MOUNT,
    secret: v.WAYPOST_SECRET ?? null,
    sendSlots: v.WAYPOST_SEND_SLOTS,
    webhookSlots: v.WAYPOST_WEBHOOK_SLOTS,
    callbackMibPerMinute: v.WAYPOST_CALLBACK_MIB_PER_MINUTE,
    drainMs: 1_000 * (v.WAYPOST_DRAIN_SECONDS ?? (isOneOfSeveral(v) ? DRAIN_SECONDS : 0)),
    simulator: { port: v.WAYPOST_SIMULATOR_PORT, url: v.WAYPOST_SIMULATOR_URL?.replace(/\/+$/, "") ?? null },
    graphUrl: v.WAYPOST_GRAPH_URL.replace(/\/+$/, ""),
    unconfirmedAfterSeconds: v.WAYPOST_UNCONFIRMED_AFTER_SECONDS,
    trustedProxies: v.WAYPOST_TRUSTED_PROXIES,
    allowedPrivateHosts: new Set(v.ALLOWED_PRIVATE_HOSTS),
    databaseUrl: v.DATABASE_URL ?? null,
    uploads: uploadsConfig(v),
    limiter: limiterConfig(v),
    inngest: inngestConfig(v),
    metricsToken: v.WAYPOST_METRICS_TOKEN ?? null,
    logLevel: v.LOG_LEVEL,
    isProduction: env.NODE_ENV === "production",
  };
}

function readVariables(env: NodeJS.ProcessEnv, problems: string[]): Variables | null {
  const schema = z.object(
    Object.fromEntries(Object.entries(VARIABLES).map(([name, entry]) => [name, entry.schema])),
  );
  const present = Object.fromEntries(
    Object.keys(VARIABLES)
      .filter((name) => env[name] !== undefined && env[name] !== "")
      .map((name) => [name, env[name]]),
  );
  const result = schema.safeParse(present);
  if (result.success) return asVariables(result.data);
  const wrong = new Set(result.error.issues.map((issue) => String(issue.path[0])));
  for (const [name, entry] of Object.entries(VARIABLES)) {
    if (wrong.has(name)) problems.push(`${name} must be ${entry.expected}`);
  }
  return null;
}

/** Guarantee: `data` was parsed by the schemas of VARIABLES, name by name; only the types were lost. */
function asVariables(data: object): Variables {
  return data as Variables;
}

/** A usual proxy requests `/readyz` every few seconds. */
const DRAIN_SECONDS = 5;

/** Other processes may take over this one's work: it doesn't own its database. */
const isOneOfSeveral = (v: Variables) => v.DATABASE_URL !== undefined || v.WAYPOST_ATTACH !== undefined;

function contradictions(v: Variables): string[] {
  const problems: string[] = [];
  if (v.DATABASE_URL !== undefined && v.WAYPOST_SECRET === undefined) {
    problems.push(`WAYPOST_SECRET must be ${VARIABLES.WAYPOST_SECRET.expected}, because DATABASE_URL is set`);
  }
  if (v.DATABASE_URL !== undefined && v.WAYPOST_ATTACH !== undefined) {
    problems.push("WAYPOST_ATTACH must be absent where DATABASE_URL is set: each names a database");
  }
  return [...problems, ...limiterContradictions(v), ...inngestContradictions(v)];
}
