import type { Logger } from "pino";
import { createLogThrottle } from "@/server/lib/log-throttle";

const WORDS_LENGTH_MAX = 1000;
/** A message of the SDK that anyone who can reach `/api/inngest` can trigger without a limit. */
const REFUSED = "Signature validation failed";
const REFUSED_TEXT =
  "a call of /api/inngest is refused: it isn't signed with INNGEST_SIGNING_KEY, or the clocks don't agree";

/**
 * The logger interface that the SDK calls. Its lines begin with an object of facts, as pino's do, or with the message.
 */
export interface SdkLogger {
  info(...line: unknown[]): void;
  debug(...line: unknown[]): void;
  warn(...line: unknown[]): void;
  error(...line: unknown[]): void;
  /** Returns a logger that adds these facts to every line: the run and its event. */
  child(facts: Readonly<Record<string, unknown>>): SdkLogger;
}

/**
 * Writes the SDK's warnings and errors to our log, an error with its name, message and stack. Messages about every run
 * are suppressed, and invalid signatures are logged once a minute.
 */
export function createSdkLogger(log: Logger): SdkLogger {
  return loggerOver(log.child({ part: "inngest" }));
}

function loggerOver(part: Logger): SdkLogger {
  const throttle = createLogThrottle();
  const logRefused = (facts: unknown) => {
    const suppressed = throttle(REFUSED);
    if (suppressed !== null) part.warn({ reason: reasonIn(facts), suppressed }, REFUSED_TEXT);
  };
  const noted =
    (level: "warn" | "error") =>
    (first: unknown, ...words: unknown[]) => {
      if (words[0] === REFUSED) logRefused(first);
      else if (typeof first !== "object" || first === null) part[level](describe([first, ...words]));
      else part[level](first instanceof Error ? { err: first } : first, describe(words));
    };
  return {
    info: quiet,
    debug: quiet,
    warn: noted("warn"),
    error: noted("error"),
    child: (facts) => loggerOver(part.child(facts)),
  };
}

/** Returns the message of the error among a line's facts. */
function reasonIn(facts: unknown): string {
  if (typeof facts !== "object" || facts === null || !("err" in facts)) return "unknown";
  return facts.err instanceof Error ? facts.err.message : "unknown";
}

function quiet(): void {}

function describe(words: readonly unknown[]): string {
  return words.map(String).join(" ").slice(0, WORDS_LENGTH_MAX);
}
