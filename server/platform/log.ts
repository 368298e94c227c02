import pino, { type Logger } from "pino";
import { cutText, redacted, withoutSecrets } from "./redact";

export interface LoggerOptions {
  readonly level: string;
  readonly name?: string;
  /** Whether a line is told otherwise, or was told already. */
  readonly absorbs?: (line: readonly unknown[]) => boolean;
  /** Told the level of each line that is written. */
  readonly counts?: (level: string) => void;
  /** Where lines go, in place of standard error. */
  readonly destination?: pino.DestinationStream;
}

/**
 * JSON lines on standard error; standard output belongs to what a person or a script asked for. No line holds a
 * credential, what people wrote, or their numbers: fields are told by name, and each line is searched for
 * what looks like a secret.
 */
export function createLogger(options: LoggerOptions): Logger {
  const absorbs = options.absorbs ?? (() => false);
  const counts = options.counts ?? (() => undefined);
  const log = pino(
    {
      level: options.level,
      base: options.name === undefined ? {} : { name: options.name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redacted },
      // Errors are described where they stand; the library's own way tells their values.
      serializers: { err: (error: unknown) => error },
      hooks: {
        logMethod(line, method, level) {
          if (absorbs(line)) return;
          counts(pino.levels.labels[level] ?? "");
          const cut = cutWords(line);
          const [first, ...words] = cut;
          // Without words the library would tell the error's message as they are.
          if (typeof first === "object" && first !== null && words.length === 0) {
            method.apply(this, [first, "failed"]);
          } else method.apply(this, cut);
        },
        streamWrite: withoutSecrets,
      },
    },
    options.destination ?? pino.destination({ dest: 2, sync: false }),
  );
  redactBindings(log);
  return log;
}

/** Guarantee: the same parts, and texts stay texts. */
function cutWords<L extends readonly unknown[]>(line: L): L {
  return line.map((part) => (typeof part === "string" ? cutText(part) : part)) as readonly unknown[] as L;
}

/** What children say in each line passes no formatter of the library's. Theirs inherit this. */
function redactBindings(log: Logger): void {
  const { child } = log;
  log.child = function (this: Logger, bindings, options) {
    return child.call(this, redacted(bindings), options);
  } as typeof child;
}
