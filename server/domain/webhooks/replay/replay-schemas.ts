import { z } from "zod";
import { wallClock } from "@/server/lib/wall-clock";
import { timeInput } from "@/server/core/input/time-input";
import { moment } from "@/server/domain/messages/model/schemas";
import { webhookInput } from "../endpoints/schemas";

const ONLY = ["failed", "skipped", "all"] as const;
export type ReplayOnly = (typeof ONLY)[number];

/** Maximum deliveries that a count examines: its time is bounded, however many there are. */
export const COUNTED_MAX = 100_000;

/** Clocks differ. */
const AHEAD_MS_MAX = 60_000;

export const replayInput = webhookInput
  .extend({
    since: timeInput
      .refine((text) => Date.parse(text) <= wallClock.nowMs() + AHEAD_MS_MAX, "must not be in the future")
      .meta({ description: "Only events created at this time or later" }),
    until: timeInput.nullish().meta({ description: "Only events created before this time. Now if absent" }),
    only: z.enum(ONLY).meta({
      description:
        "`failed`: deliveries that failed. `skipped`: deliveries of events that were created, or were waiting, " +
        "while the endpoint was disabled. `all`: both, and the delivered ones. Deliveries that are in the queue " +
        "stay there. Tests are not replayed.",
    }),
    dry_run: z.literal([true, false]).nullish().meta({ description: "If true, deliveries are only counted" }),
    replay_id: z
      .guid()
      .nullish()
      .meta({
        description:
          "Your own id of this replay. A repeated request with the same id gets the same response and delivers " +
          "nothing again. Required with `all`, except in a dry run",
      }),
  })
  .refine(({ since, until }) => !(Date.parse(until ?? "") < Date.parse(since)), {
    path: ["until"],
    error: "must not be before `since`",
  })
  .superRefine(({ only, dry_run, replay_id }, issues) => {
    if (only !== "all" || dry_run === true || (replay_id ?? null) !== null) return;
    const message =
      "is required if `only` is `all`: without it, a repeated request would deliver everything again";
    issues.addIssue({ code: "custom", path: ["replay_id"], message });
  });
export type ReplayInput = z.input<typeof replayInput>;

export const replayOutput = z
  .object({
    replay_id: z.guid().nullable().meta({ description: "Null for a dry run" }),
    dry_run: z.boolean(),
    since: moment,
    until: moment,
    only: z.enum(ONLY),
    count: z.int().meta({
      description: `Number of deliveries that are queued again, counted when the replay began, among the first ${COUNTED_MAX} deliveries of the period`,
    }),
    count_is_exact: z.boolean().meta({
      description: "False if there may be more than `count`. All of them are queued again anyway",
    }),
  })
  .meta({
    id: "WebhookReplay",
    examples: [
      {
        replay_id: "0198f0b3-2c44-7f6a-8f0d-7e5b1c9a4d20",
        dry_run: false,
        since: "2026-01-31T11:00:00.000Z",
        until: "2026-01-31T12:00:00.000Z",
        only: "failed",
        count: 17,
        count_is_exact: true,
      },
    ],
  });

export type ReplayOutput = z.infer<typeof replayOutput>;
