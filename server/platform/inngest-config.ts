import { z } from "zod";

/** Default address of an Inngest dev server on this machine. */
const DEV_SERVER_URL = "http://127.0.0.1:8288";
const OFF = ["0", "false"];
const ON = ["1", "true"];

/** A path or a query would be lost: the functions are always served at `/api/inngest`. */
const origin = z
  .url({ protocol: /^https?$/ })
  .refine((url) => URL.canParse(url) && `${new URL(url).origin}/` === new URL(url).href);

/** Whole bytes in hex. Inngest Cloud's keys have the prefix `signkey-…-`, keys of a self-hosted server have none. */
const signingKey = z.string().regex(/^(signkey-\w+-)?([0-9a-f]{2})+$/i);
const SIGNING_KEY_EXPECTED =
  "an Inngest signing key: hexadecimal, an even number of characters, as Inngest Cloud gives them after signkey-prod-";

/** The variables that configure an Inngest server. */
export const INNGEST_VARIABLES = {
  INNGEST_EVENT_KEY: {
    schema: z.string().optional(),
    expected: "an Inngest event key",
    purpose: "Key for sending wake-up events to an Inngest server, which then runs the jobs",
  },
  INNGEST_SIGNING_KEY: {
    schema: signingKey.optional(),
    expected: SIGNING_KEY_EXPECTED,
    purpose: "Key with which Waypost and the Inngest server sign their calls to each other",
  },
  INNGEST_SIGNING_KEY_FALLBACK: {
    schema: signingKey.optional(),
    expected: SIGNING_KEY_EXPECTED,
    purpose: "Second signing key that is also accepted while the first one is being replaced",
  },
  INNGEST_BASE_URL: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    expected: "the http(s) address of an Inngest server",
    purpose: "Address of a self-hosted Inngest server. If only the keys are set, Inngest Cloud is used",
  },
  INNGEST_SERVE_ORIGIN: {
    schema: origin.optional(),
    expected: "an http(s) address without a path",
    purpose:
      "Address at which the Inngest server reaches the processes that run jobs. Required with WAYPOST_ROLE=jobs. Other processes use WAYPOST_PUBLIC_URL by default, or the address that they listen on",
  },
  INNGEST_DEV: {
    schema: z.union([z.literal([...OFF, ...ON]), z.url({ protocol: /^https?$/ })]).optional(),
    expected: "1, or the http(s) address of an Inngest dev server",
    purpose: "Inngest dev server, for development only: nothing is signed",
  },
} as const satisfies Record<string, { schema: z.ZodType; expected: string; purpose: string }>;

/** An Inngest server that runs the jobs. */
export interface InngestConfig {
  /** A dev server: requests are not signed in either direction. */
  readonly isDev: boolean;
  /** Null: Inngest Cloud. */
  readonly baseUrl: string | null;
  readonly eventKey: string | null;
  readonly signingKey: string | null;
  readonly signingKeyFallback: string | null;
  /** Address at which the server reaches this process, without a path. Null: the address that it listens on. */
  readonly serveOrigin: string | null;
}

type Variables = {
  readonly [N in keyof typeof INNGEST_VARIABLES]: z.output<(typeof INNGEST_VARIABLES)[N]["schema"]>;
} & { readonly WAYPOST_PUBLIC_URL?: string | undefined; readonly WAYPOST_ROLE: string };

/** Variables that each imply a server. Error messages name the first one that is set. */
const NAMING = ["INNGEST_BASE_URL", "INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"] as const;

/** Returns null if no Inngest server is configured. Jobs then run in process. */
export function inngestConfig(v: Variables): InngestConfig | null {
  const dev = devServer(v);
  if (dev === null && NAMING.every((name) => !v[name])) return null;
  return {
    isDev: dev !== null,
    baseUrl: v.INNGEST_BASE_URL ?? dev,
    eventKey: v.INNGEST_EVENT_KEY ?? null,
    signingKey: v.INNGEST_SIGNING_KEY ?? null,
    signingKeyFallback: v.INNGEST_SIGNING_KEY_FALLBACK ?? null,
    serveOrigin:
      v.INNGEST_SERVE_ORIGIN ?? (v.WAYPOST_PUBLIC_URL ? new URL(v.WAYPOST_PUBLIC_URL).origin : null),
  };
}

/** Describes contradictions between variables, one line each. */
export function inngestContradictions(v: Variables): string[] {
  const config = inngestConfig(v);
  if (config?.isDev) return [];
  const named = [...NAMING, "INNGEST_SIGNING_KEY_FALLBACK" as const].find((name) => v[name]);
  if (named === undefined) return [];
  const missing = (["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"] as const).filter((name) => !v[name]);
  if (missing.length > 0) {
    return missing.map(
      (name) => `${name} must be ${INNGEST_VARIABLES[name].expected}, because ${named} is set`,
    );
  }
  const origin = `INNGEST_SERVE_ORIGIN must be ${INNGEST_VARIABLES.INNGEST_SERVE_ORIGIN.expected}`;
  // The public address leads to processes of other roles, and no other process has this one's listening address.
  if (v.WAYPOST_ROLE === "jobs" && !v.INNGEST_SERVE_ORIGIN) {
    return [
      `${origin} at which the Inngest server reaches the processes that run jobs, because WAYPOST_ROLE is jobs`,
    ];
  }
  if (config?.baseUrl === null && config.serveOrigin === null) {
    return [`${origin} which Inngest Cloud can reach, where WAYPOST_PUBLIC_URL isn't given`];
  }
  return [];
}

/** Returns the address of the dev server. Null if there is none. */
function devServer({ INNGEST_DEV: dev }: Variables): string | null {
  if (dev === undefined || OFF.includes(dev)) return null;
  return ON.includes(dev) ? DEV_SERVER_URL : dev;
}

/** Names the server in log lines and findings, without other data that its address may contain. */
export function inngestServerName({ baseUrl }: InngestConfig): string {
  return baseUrl === null ? "Inngest Cloud" : new URL(baseUrl).origin;
}
