import pino, { type Logger } from "pino";
import { cutText, redacted, withoutSecrets } from "./redact";

export interface LoggerOptions {
  readonly level: string;
  readonly name?: string;
  /** Returns true to drop a line that is reported in another way, or was already reported. */
  readonly absorbs?: (line: readonly unknown[]) => boolean;
  /** Receives the level of each written line. */
  readonly counts?: (level: string) => void;
  /** Replaces standard error as the destination. */
  readonly destination?: pino.DestinationStream;
}

/**
 * Creates a logger that writes JSON lines to standard error. Standard output is for what a person or a script asked
 * for. No line contains a credential, text that people wrote, or their phone numbers: fields are filtered by name, and
 * each line is searched for text that looks like a secret.
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
      // Errors are described in place, because the library's serializer prints their values.
      serializers: { err: (error: unknown) => error },
      hooks: {
        logMethod(line, method, level) {
          if (absorbs(line)) return;
          counts(pino.levels.labels[level] ?? "");
          const cut = cutWords(line);
          const [first, ...words] = cut;
          // Without a message, the library would log the error's message unfiltered.
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

/** Guarantee: the result has the same parts, and texts remain texts. */
function cutWords<L extends readonly unknown[]>(line: L): L {
  return line.map((part) => (typeof part === "string" ? cutText(part) : part)) as readonly unknown[] as L;
}

/**
 * Redacts the bindings of child loggers, which the library doesn't pass through its formatters. Their own children
 * inherit this.
 */
function redactBindings(log: Logger): void {
  const { child } = log;
  log.child = function (this: Logger, bindings, options) {
    return child.call(this, redacted(bindings), options);
  } as typeof child;
}
