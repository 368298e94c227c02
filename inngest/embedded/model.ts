import { z } from "zod";

/** Interval in minutes of each supported cron expression. */
const CRON_MINUTES = { "* * * * *": 1, "*/10 * * * *": 10, "0 * * * *": 60 } as const;

/** The function options that this executor supports. Others are refused at start-up, not ignored. */
const modelled = z.strictObject({
  id: z.string(),
  triggers: z
    .array(
      z.union([
        z
          .looseObject({ event: z.string(), if: z.undefined().optional() })
          .transform(({ event }) => ({ kind: "event", event }) as const),
        z
          .looseObject({ cron: z.literal(["* * * * *", "*/10 * * * *", "0 * * * *"]) })
          .transform(({ cron }) => ({ kind: "cron", everyMinutes: CRON_MINUTES[cron] }) as const),
      ]),
    )
    .min(1),
  concurrency: z.strictObject({
    limit: z.int().min(1),
    key: z
      .string()
      .regex(/^event\.data\.\w+$/)
      .transform((expression) => expression.slice("event.data.".length))
      .optional(),
  }),
  retries: z.literal(0),
  checkpointing: z.literal(false),
});

export interface ModelledFunction {
  readonly id: string;
  readonly events: ReadonlySet<string>;
  /** Runs at each minute of the hour that is divisible by this. Null for a function without a cron. */
  readonly everyMinutes: number | null;
  readonly concurrencyMax: number;
  /** Field of the event's data. Each of its values has its own concurrency limit. */
  readonly concurrencyField: string | undefined;
}

/** @throws Error for a function with an unsupported option. */
export function modelOf(options: Readonly<Record<string, unknown>>): ModelledFunction {
  const present = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const parsed = modelled.safeParse(present);
  if (!parsed.success) {
    const problem = z.prettifyError(parsed.error);
    throw new Error(`The embedded executor can't run the function ${String(options.id)}: ${problem}`);
  }
  const { id, triggers, concurrency } = parsed.data;
  return {
    id,
    events: new Set(triggers.flatMap((trigger) => (trigger.kind === "event" ? [trigger.event] : []))),
    everyMinutes: triggers.find((trigger) => trigger.kind === "cron")?.everyMinutes ?? null,
    concurrencyMax: concurrency.limit,
    concurrencyField: concurrency.key,
  };
}
