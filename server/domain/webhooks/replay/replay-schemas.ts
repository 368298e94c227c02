import { z } from "zod";
import { timeInput } from "@/server/core/input/time-input";
import { moment } from "@/server/domain/messages/model/schemas";
import { webhookInput } from "../endpoints/schemas";

const ONLY = ["failed", "skipped", "all"] as const;
export type ReplayOnly = (typeof ONLY)[number];

/** Deliveries that a count looks at: it takes no longer, however many there are. */
export const COUNTED_MAX = 100_000;

/** Clocks differ. */
const AHEAD_MS_MAX = 60_000;

export const replayInput = webhookInput
  .extend({
    since: timeInput
      .refine((text) => Date.parse(text) <= Date.now() + AHEAD_MS_MAX, "must not be in the future")
      .meta({ description: "Of events that arose then or later" }),
    until: timeInput.nullish().meta({ description: "Of events that arose before; now where absent" }),
    only: z.enum(ONLY).meta({
      description:
        "`failed`: what was given up. `skipped`: what arose, or waited, while the endpoint was disabled. `all`: both, and what " +
        "was delivered. What is in the queue stays there, and tests are no part of it.",
    }),
    dry_run: z.literal([true, false]).nullish().meta({ description: "True: only counts" }),
    replay_id: z
      .guid()
      .nullish()
      .meta({
        description:
          "Your own id of this replay: repeated under it, it answers the same, and delivers nothing once more. Required with " +
          "`all`, unless it is a dry run",
      }),
  })
  .refine(({ since, until }) => !(Date.parse(until ?? "") < Date.parse(since)), {
    path: ["until"],
    error: "must not be before `since`",
  })
  .superRefine(({ only, dry_run, replay_id }, issues) => {
    if (only !== "all" || dry_run === true || (replay_id ?? null) !== null) return;
    const message =
      "is required with `only` of `all`: repeated without one, all would be delivered once more";
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
      description: `Deliveries that are put back into the queue; counted when it began, among the first ${COUNTED_MAX} of that time`,
    }),
    count_is_exact: z.boolean().meta({
      description: "False where there may be more than `count`: all of them are put back all the same",
    }),
  })
  .meta({ id: "WebhookReplay" });

export type ReplayOutput = z.infer<typeof replayOutput>;
