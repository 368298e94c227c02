import { z } from "zod";
import type { NamedRecipient } from "../../contacts/learn";
import type { MarketingWish } from "../../contacts/marketing";
import type { StatusReport } from "../../messages/apply-statuses";
import type { TemplateStatus } from "../../templates/apply-status";
import { templateState } from "../template-states";
import { listOf, maybeText, upstreamId } from "./fields";
import { contactEntry, type InboundMessage, readCall, readInbound, readPreference } from "./inbound";
import { readStatus } from "./statuses";

/** What a callback says, freed of Meta's shapes. */
export interface CallbackContent {
  readonly changes: readonly NumberChange[];
  readonly templates: readonly TemplateChange[];
  /** What was not understood: kept raw, and told to the log. */
  readonly unknown: readonly string[];
}

/** What happened on one of the business's numbers. */
export interface NumberChange {
  readonly phoneNumberId: string;
  readonly statuses: readonly StatusReport[];
  readonly recipients: readonly NamedRecipient[];
  readonly messages: readonly InboundMessage[];
  readonly wishes: readonly MarketingWish[];
}

/** What happened to a template of an account. */
export interface TemplateChange extends Omit<TemplateStatus, "channelId"> {
  readonly wabaId: string;
}

/** Fields that Waypost has nothing to do for; a field that is in neither list is told to the log. */
const IGNORED_FIELDS: ReadonlySet<string> = new Set([
  "account_alerts",
  "account_review_update",
  "account_settings_update",
  "account_update",
  "automatic_events",
  "business_capability_update",
  "business_status_update",
  "business_username_update",
  "flows",
  "group_lifecycle_update",
  "group_participants_update",
  "group_settings_update",
  "group_status_update",
  "history",
  "message_echoes",
  "message_template_components_update",
  "message_template_quality_update",
  "messaging_handovers",
  "partner_solutions",
  "payment_configuration_update",
  "phone_number_name_update",
  "phone_number_quality_update",
  "security",
  "smb_app_state_sync",
  "smb_message_echoes",
  "standby",
  "template_category_update",
  "tracking_events",
]);

interface Change {
  readonly wabaId: string;
  readonly value: unknown;
  readonly receivedAt: Date;
}

/** What was read of one change; null where its value isn't what its field promises. */
type Reading = Partial<CallbackContent> | null;

const READERS: Readonly<Record<string, (change: Change) => Reading>> = {
  messages: readNumber,
  user_preferences: readNumber,
  calls: readNumber,
  message_template_status_update: readTemplate,
};

const envelope = z.object({ entry: z.array(z.unknown()) });
const entrySchema = z.object({ id: upstreamId.optional().catch(""), changes: z.array(z.unknown()) });
const changeSchema = z.object({ field: z.string(), value: z.unknown() });

/**
 * Reads a callback's body. What is not understood never drops the rest.
 * @param receivedAt for what doesn't tell its time.
 */
export function readCallback(json: unknown, receivedAt: Date): CallbackContent {
  const parsed = envelope.safeParse(json);
  if (!parsed.success) return nothing("the body isn't a webhook of the Cloud API");
  return joined(parsed.data.entry.map((entry) => readEntry(entry, receivedAt)));
}

function readEntry(entry: unknown, receivedAt: Date): CallbackContent {
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) return nothing("an entry");
  const { id: wabaId = "", changes } = parsed.data;
  return joined(
    changes.map((change) => {
      const { data } = changeSchema.safeParse(change);
      if (!data) return nothing("a change");
      if (IGNORED_FIELDS.has(data.field)) return joined([]);
      const read = Object.hasOwn(READERS, data.field) ? READERS[data.field] : undefined;
      const reading = read?.({ wabaId, value: data.value, receivedAt }) ?? null;
      return reading
        ? { ...joined([]), ...reading }
        : nothing(`a change of the field ${data.field.slice(0, 40)}`);
    }),
  );
}

function joined(contents: readonly CallbackContent[]): CallbackContent {
  return {
    changes: contents.flatMap((content) => content.changes),
    templates: contents.flatMap((content) => content.templates),
    unknown: contents.flatMap((content) => content.unknown),
  };
}

const nothing = (unknown: string): CallbackContent => ({ changes: [], templates: [], unknown: [unknown] });

const items = z.array(z.unknown()).optional().catch(undefined);

const numberValue = z.object({
  metadata: z.object({ phone_number_id: upstreamId }),
  contacts: listOf(contactEntry),
  statuses: items,
  messages: items,
  user_preferences: items,
  calls: items,
});

const callDirection = z.object({ direction: z.literal("BUSINESS_INITIATED") });
const callStatus = z.object({ type: z.literal("call") });

function readNumber({ value, receivedAt }: Change): Reading {
  const parsed = numberValue.safeParse(value);
  if (!parsed.success) return null;
  const { metadata, contacts, statuses, messages, user_preferences, calls } = parsed.data;
  const unknown: string[] = [];
  const each = <T>(
    what: string,
    entries: readonly unknown[] | undefined,
    read: (entry: unknown) => T | null,
  ) =>
    (entries ?? []).flatMap((entry) => {
      const one = read(entry);
      if (one === null) unknown.push(what);
      return one === null ? [] : [one];
    });
  const ownCalls = calls?.filter((call) => !callDirection.safeParse(call).success);
  const ofMessages = statuses?.filter((status) => !callStatus.safeParse(status).success);
  const read = each("a status", ofMessages, readStatus);
  const change: NumberChange = {
    phoneNumberId: metadata.phone_number_id,
    statuses: read.flatMap(({ report }) => report ?? []),
    recipients: read.map(({ recipient }) => recipient),
    messages: [
      ...each("a message", messages, (entry) => readInbound(entry, contacts, receivedAt)),
      ...each("a call", ownCalls, (entry) => readCall(entry, receivedAt)),
    ],
    wishes: each("a preference", user_preferences, (entry) => readPreference(entry, receivedAt)),
  };
  return { changes: [change], unknown };
}

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/message_template_status_update */
const templateValue = z.object({
  event: z.string(),
  message_template_id: upstreamId.optional().catch(undefined),
  message_template_name: z.string(),
  message_template_language: z.string(),
  reason: maybeText,
});

/** Meta's word for "no reason". */
const NO_REASON = "NONE";

function readTemplate({ wabaId, value }: Change): Reading {
  const parsed = templateValue.safeParse(value);
  if (!parsed.success) return null;
  const { event, reason, ...template } = parsed.data;
  const change: TemplateChange = {
    wabaId,
    name: template.message_template_name,
    language: template.message_template_language,
    upstreamId: template.message_template_id ?? null,
    state: templateState(event),
    reason: reason === undefined || reason === NO_REASON ? null : reason,
  };
  return { templates: [change] };
}
