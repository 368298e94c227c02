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

/** Those that an endpoint chooses among; tests come to every one. */
export const CHOSEN_TYPES = WEBHOOK_EVENT_TYPES.filter(isChosen);

type ChosenType = Exclude<WebhookEventType, "webhook.test">;

function isChosen(type: WebhookEventType): type is ChosenType {
  return type !== "webhook.test";
}

const URL_LENGTH_MAX = 2_048;
const DESCRIPTION_LENGTH_MAX = 500;

const URL_REQUIRED = "is required: an address, or null for events that wait to be fetched";

const urlSchema = z
  .string({ error: ({ input }) => (input === undefined ? URL_REQUIRED : undefined) })
  .max(URL_LENGTH_MAX, `must have at most ${URL_LENGTH_MAX} characters`)
  .meta({ format: "uri" });

const eventsSchema = z
  .array(z.enum(CHOSEN_TYPES))
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

const DESCRIPTION = { description: "For people: what it is for" };
const CHANNELS = {
  description:
    "Only events of these channels; null for all, those of tomorrow included. With a key that is limited to channels, " +
    "null is all of its channels",
};

export const webhookInput = z.strictObject({ id: z.string().meta({ description: "Of the endpoint" }) });

export const createWebhookInput = z.strictObject({
  url: urlSchema.nullable().meta({
    description:
      "Public https address, without credentials, to which events are posted. Null: nothing is posted, and the " +
      `events wait to be fetched, for ${AVAILABLE_KEPT_DAYS} days`,
  }),
  events: eventsSchema.nullish().meta({ description: "Types of events; all that there are where absent" }),
  description: descriptionSchema.nullish().meta(DESCRIPTION),
  channel_ids: channelIdsSchema.nullish().meta(CHANNELS),
  enabled: enabledSchema.nullish().meta({ description: "True where absent" }),
  since: timeInput.nullish().meta({
    description:
      "Only with `url` null: also fetch earlier events, created at this time or later. They are events that another " +
      "endpoint received or waits for, of the last 7 days, at most 10,000, found among the latest 100,000 events of the " +
      "organization. The answer takes a second or two",
  }),
});
export type CreateWebhookInput = z.input<typeof createWebhookInput>;

/** Absent: unchanged. */
export const setWebhookInput = webhookInput.extend({
  url: urlSchema.nullish().meta({
    description:
      "Another address. Neither can an endpoint with a URL do without, nor one without be given one",
  }),
  events: eventsSchema.optional(),
  description: descriptionSchema.optional().meta(DESCRIPTION),
  channel_ids: channelIdsSchema.nullish().meta(CHANNELS),
  enabled: enabledSchema.optional().meta({
    description:
      "False: what arises, or waits to be posted, is kept as skipped, and can be replayed; without a URL events are " +
      "fetched as before. True, for a disabled endpoint: what was noted of failures is forgotten",
  }),
});
export type SetWebhookInput = z.input<typeof setWebhookInput>;

export const listWebhooksInput = z.strictObject(pageInput);

export const webhookOutput = z
  .object({
    id: z.guid(),
    url: z.string().nullable().meta({ description: "Null: its events wait to be fetched" }),
    events: z.array(z.enum(WEBHOOK_EVENT_TYPES)),
    description: z.string(),
    channel_ids: z.array(z.guid()).nullable().meta({ description: "Null: events of all channels" }),
    enabled: z.boolean(),
    disabled_at: moment.nullable(),
    disabled_reason: z
      .enum(WEBHOOK_DISABLED_REASONS)
      .nullable()
      .meta({
        description:
          "`member`: by a member or a key. `failing`: every call had failed for " +
          `${DISABLE_AFTER_MS / DAY_MS} days. \`gone\`: it answered 410.`,
      }),
    failing_since: moment.nullable().meta({ description: "Every call has failed since then" }),
    former_secret_ends_at: moment.nullable().meta({
      description:
        "Until then events are signed with a former secret as well; null when the present one signs alone",
    }),
    created_at: moment,
  })
  .meta({ id: "WebhookEndpoint" });

export type WebhookOutput = z.infer<typeof webhookOutput>;

export const webhookWithSecretOutput = webhookOutput
  .extend({ secret: z.string().meta({ description: "Signs its events. Shown this once" }) })
  .meta({ id: "WebhookEndpointWithSecret" });

export type WebhookWithSecret = z.infer<typeof webhookWithSecretOutput>;

export const webhookPage = pageOutput(webhookOutput, "WebhookEndpointList");
