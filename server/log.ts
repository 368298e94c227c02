import pino, { type Logger } from "pino";

/** Never logged, wherever they stand: credentials, and what people wrote. */
const REDACTED = [
  "authorization",
  "x-api-key",
  "password",
  "secret",
  "token",
  "accessToken",
  "access_token",
  "appSecret",
  "app_secret",
  "verifyToken",
  "verify_token",
  "body",
  "text",
  "content",
];

export interface LoggerOptions {
  readonly level: string;
  readonly name?: string;
  /** Whether a line is told otherwise, or was told already. */
  readonly absorbs?: (line: readonly unknown[]) => boolean;
}

/** JSON lines on standard error; standard output belongs to what a person or a script asked for. */
export function createLogger(options: LoggerOptions): Logger {
  const absorbs = options.absorbs ?? (() => false);
  return pino(
    {
      level: options.level,
      base: options.name === undefined ? undefined : { name: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: REDACTED.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: "[redacted]",
      },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: {
        logMethod(line, method) {
          if (!absorbs(line)) method.apply(this, line);
        },
      },
    },
    pino.destination({ dest: 2, sync: false }),
  );
}

/**
 * The first cause only, without its values: what Drizzle wraps around it repeats every parameter of the statement, and
 * PostgreSQL's details quote rows.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error.cause instanceof Error) return describeError(error.cause);
  const code = "code" in error ? error.code : undefined;
  return { type: error.name, message: error.message, code, stack: error.stack };
}
