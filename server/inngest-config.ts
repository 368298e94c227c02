import { z } from "zod";

/** Where an Inngest server listens on this machine, unless it is told otherwise. */
const DEV_SERVER_URL = "http://127.0.0.1:8288";
const OFF = ["0", "false"];
const ON = ["1", "true"];

/** A path or a query would get lost: the functions are always served at `/api/inngest`. */
const origin = z
  .url({ protocol: /^https?$/ })
  .refine((url) => URL.canParse(url) && `${new URL(url).origin}/` === new URL(url).href);

/** The variables by which an Inngest server is named. */
export const INNGEST_VARIABLES = {
  INNGEST_EVENT_KEY: {
    schema: z.string().optional(),
    expected: "an Inngest event key",
    purpose: "Key with which wake-ups are sent to an Inngest server, which then runs the jobs",
  },
  INNGEST_SIGNING_KEY: {
    schema: z.string().optional(),
    expected: "an Inngest signing key",
    purpose: "Key with which Waypost and the Inngest server sign their calls of each other",
  },
  INNGEST_SIGNING_KEY_FALLBACK: {
    schema: z.string().optional(),
    expected: "an Inngest signing key",
    purpose: "A second signing key that is taken too, while the first is being replaced",
  },
  INNGEST_BASE_URL: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    expected: "the http(s) address of an Inngest server",
    purpose: "A self-hosted Inngest server; Inngest Cloud when only the keys are given",
  },
  INNGEST_SERVE_ORIGIN: {
    schema: origin.optional(),
    expected: "an http(s) address without a path",
    purpose:
      "Address at which the Inngest server reaches the processes that run jobs; WAYPOST_PUBLIC_URL when not given, else the address this process listens on",
  },
  INNGEST_DEV: {
    schema: z.union([z.literal([...OFF, ...ON]), z.url({ protocol: /^https?$/ })]).optional(),
    expected: "1, or the http(s) address of an Inngest dev server",
    purpose: "An Inngest dev server, for development: nothing is signed",
  },
} as const satisfies Record<string, { schema: z.ZodType; expected: string; purpose: string }>;

/** An Inngest server that runs the jobs. */
export interface InngestConfig {
  /** A dev server: neither side signs. */
  readonly isDev: boolean;
  /** Null: Inngest Cloud. */
  readonly baseUrl: string | null;
  readonly eventKey: string | null;
  readonly signingKey: string | null;
  readonly signingKeyFallback: string | null;
  /** Where the server reaches this process, without a path; null: where it listens. */
  readonly serveOrigin: string | null;
}

type Variables = {
  readonly [N in keyof typeof INNGEST_VARIABLES]: z.output<(typeof INNGEST_VARIABLES)[N]["schema"]>;
} & { readonly WAYPOST_PUBLIC_URL?: string | undefined };

/** Null where no Inngest server is named: jobs run in process then. */
export function inngestConfig(v: Variables): InngestConfig | null {
  const dev = devServer(v);
  if (dev === null && !v.INNGEST_EVENT_KEY && !v.INNGEST_SIGNING_KEY && !v.INNGEST_BASE_URL) return null;
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

/** What doesn't go together, a line each. */
export function inngestContradictions(v: Variables): string[] {
  const config = inngestConfig(v);
  if (config === null || config.isDev) return [];
  const named = (["INNGEST_BASE_URL", "INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"] as const).find(
    (name) => v[name],
  );
  const missing = (["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"] as const).filter((name) => !v[name]);
  const problems = missing.map(
    (name) => `${name} must be ${INNGEST_VARIABLES[name].expected}, because ${named} is set`,
  );
  if (problems.length === 0 && config.baseUrl === null && config.serveOrigin === null) {
    const { expected } = INNGEST_VARIABLES.INNGEST_SERVE_ORIGIN;
    problems.push(
      `INNGEST_SERVE_ORIGIN must be ${expected} which Inngest Cloud can reach, where WAYPOST_PUBLIC_URL isn't given`,
    );
  }
  return problems;
}

/** Where the dev server is; null for none. */
function devServer({ INNGEST_DEV: dev }: Variables): string | null {
  if (dev === undefined || OFF.includes(dev)) return null;
  return ON.includes(dev) ? DEV_SERVER_URL : dev;
}
