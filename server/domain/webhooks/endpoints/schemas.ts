import { z } from "zod";
import { WEBHOOK_DISABLED_REASONS, WEBHOOK_EVENT_TYPES, type WebhookEventType } from "@/db/schema";
import { timeInput } from "@/server/core/input/time-input";
import { moment } from "@/server/domain/messages/model/schemas";
import { pageInput, pageOutput } from "@/server/core/paging";
import { AVAILABLE_KEPT_DAYS } from "@/server/domain/organizations/retention-days";
import { codePoints } from "@/server/lib/text";
import { DISABLE_AFTER_MS } from "./health";

const DAY_MS = 86_400_000;

export const ENDPOINTS_MAX = 20;

/** The types that an endpoint can choose; tests are sent to every one. */
export const CHOSEN_TYPES = WEBHOOK_EVENT_TYPES.filter(isChosen);

type ChosenType = Exclude<WebhookEventType, "webhook.test">;

function isChosen(type: WebhookEventType): type is ChosenType {
  return type !== "webhook.test";
}

const URL_LENGTH_MAX = 2_048;
const DESCRIPTION_LENGTH_MAX = 500;

const URL_REQUIRED = "is required: a URL, or null for events that you fetch";

const urlSchema = z
  .string({ error: ({ input }) => (input === undefined ? URL_REQUIRED : undefined) })
  .max(URL_LENGTH_MAX, `must have at most ${URL_LENGTH_MAX} characters`)
  .meta({ format: "uri" });

const eventsSchema = z
  .array(z.enum(CHOSEN_TYPES).meta({ id: "WebhookEventType", description: "A type of event to receive" }))
  .min(1, "must name at least one type of event")
  .transform((events) => CHOSEN_TYPES.filter((type) => events.includes(type)));

const descriptionSchema = z
  .string()
  .trim()
  .refine((text) => codePoints(text) <= DESCRIPTION_LENGTH_MAX, {
    error: `must have at most ${DESCRIPTION_LENGTH_MAX} characters`,
  })
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: "must be without control characters" })
  .meta({ maxLength: DESCRIPTION_LENGTH_MAX });

const channelIdsSchema = z
  .array(z.guid("must be the id of a channel"))
  .min(1, "must name at least one channel")
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]);

const enabledSchema = z.literal([true, false]);

const DESCRIPTION = { description: "What the endpoint is for. Shown to people only" };
const CHANNELS = {
  description:
    "Only events of these channels. Null means all channels, including future ones. With a key that is limited to " +
    "channels, null means all channels of the key",
};

export const webhookInput = z.strictObject({ id: z.string().meta({ description: "Id of the endpoint" }) });

export const createWebhookInput = z.strictObject({
  url: urlSchema.nullable().meta({
    description:
      "Public https URL, without credentials, to which events are posted. If null, nothing is posted and " +
      `events can be fetched for ${AVAILABLE_KEPT_DAYS} days`,
  }),
  events: eventsSchema.nullish().meta({ description: "Event types to receive. All types if absent" }),
  description: descriptionSchema.nullish().meta(DESCRIPTION),
  channel_ids: channelIdsSchema.nullish().meta(CHANNELS),
  enabled: enabledSchema.nullish().meta({ description: "True if absent" }),
  since: timeInput.nullish().meta({
    description:
      "Only if `url` is null: also makes earlier events available, created at this time or later. These are events " +
      "of the last 7 days that another endpoint received or is waiting for: at most 10,000, taken from the latest " +
      "100,000 events of the organization. The response takes a second or two",
  }),
});
export type CreateWebhookInput = z.input<typeof createWebhookInput>;

/** Absent: unchanged. */
export const setWebhookInput = webhookInput.extend({
  url: urlSchema.nullish().meta({
    description:
      "A new URL. You can't remove the URL of an endpoint, or add one to an endpoint that has none",
  }),
  events: eventsSchema.optional(),
  description: descriptionSchema.optional().meta(DESCRIPTION),
  channel_ids: channelIdsSchema.nullish().meta(CHANNELS),
  enabled: enabledSchema.optional().meta({
    description:
      "False disables the endpoint: its new and waiting events are kept as skipped and can be replayed. If it has " +
      "no URL, events can still be fetched. True, for a disabled endpoint, enables it and resets its failure " +
      "history",
  }),
});
export type SetWebhookInput = z.input<typeof setWebhookInput>;

export const listWebhooksInput = z.strictObject(pageInput);

const WEBHOOK_EXAMPLE = {
  id: "0198f0a1-6d20-7a35-9e84-0b1c2d3e4f50",
  url: "https://www.example.com/waypost",
  events: ["message.delivered", "message.failed"],
  description: "Order service",
  channel_ids: null,
  enabled: true,
  disabled_at: null,
  disabled_reason: null,
  failing_since: null,
  former_secret_ends_at: null,
  created_at: "2026-01-30T09:00:00.000Z",
} as const;

export const webhookOutput = z
  .object({
    id: z.guid(),
    url: z.string().nullable().meta({ description: "Null if the events of the endpoint are fetched" }),
    events: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
    description: z.string(),
    channel_ids: z.array(z.guid()).nullable().meta({ description: "Null for events of all channels" }),
    enabled: z.boolean(),
    disabled_at: moment.nullable(),
    disabled_reason: z
      .enum(WEBHOOK_DISABLED_REASONS)
      .nullable()
      .meta({
        description:
          "`member`: a member or a key disabled it. `failing`: every call had failed for " +
          `${DISABLE_AFTER_MS / DAY_MS} days. \`gone\`: it responded with 410.`,
      }),
    failing_since: moment.nullable().meta({ description: "Time since which every call has failed" }),
    former_secret_ends_at: moment.nullable().meta({
      description:
        "Until this time, events are also signed with a former secret. Null if only the current secret signs",
    }),
    created_at: moment,
  })
  .meta({ id: "WebhookEndpoint", examples: [WEBHOOK_EXAMPLE] });

export type WebhookOutput = z.infer<typeof webhookOutput>;

export const webhookWithSecretOutput = webhookOutput
  .extend({
    secret: z.string().meta({ description: "Signing secret of the endpoint. Shown only this once" }),
  })
  .meta({
    id: "WebhookEndpointWithSecret",
    examples: [{ ...WEBHOOK_EXAMPLE, secret: "whsec_…" }],
  });

export type WebhookWithSecret = z.infer<typeof webhookWithSecretOutput>;

export const webhookPage = pageOutput(webhookOutput, "WebhookEndpointList");
