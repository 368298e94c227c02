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

/** JSON lines on standard error; standard output belongs to what a person or a script asked for. */
export function createLogger(options: { level: string; name?: string }): Logger {
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
    },
    pino.destination({ dest: 2, sync: false }),
  );
}
