import { z } from "zod";
import type {
  NamedRecipient,
  MarketingPreference,
  DatedRenaming,
  StatusReport,
  TemplateReport,
  InboundMessage,
} from "./reports";
import { keptWords } from "./graph-error";
import { templateState } from "./template-states";
import { createYielder } from "@/server/lib/yield-to-event-loop";
import { maybeText, upstreamId } from "./fields";
import { contactBook, contactEntry, readCall, readInbound, readPreference, readRenaming } from "./inbound";
import { storable } from "./parse";
import { readStatus } from "./statuses";

/** Several times the upstream's maximum in one body (1,000 updates). The rest remains in the raw callback only. */
const LIST_MAX = 5_000;

/** The content of a callback, independent of Meta's format. */
export interface CallbackContent {
  readonly changes: readonly NumberChange[];
  readonly templates: readonly TemplateChange[];
  /**
   * Parts that are ignored, such as unreadable ones. They are reported in addition to the raw callback, which is kept.
   */
  readonly unknown: readonly string[];
}

/** Events on one of the business's numbers. */
export interface NumberChange {
  readonly phoneNumberId: string;
  readonly statuses: readonly StatusReport[];
  readonly recipients: readonly NamedRecipient[];
  readonly messages: readonly InboundMessage[];
  readonly preferences: readonly MarketingPreference[];
  readonly renamings: readonly DatedRenaming[];
}

/** An event of an account's template. */
export interface TemplateChange extends TemplateReport {
  readonly wabaId: string;
}

/** Fields that Waypost ignores. A field that is in neither list is logged. */
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

/** Context of reading one body, with its limits. */
interface Reading {
  readonly take: TakeCapped;
  readonly yieldToEventLoop: () => Promise<void>;
  readonly report: (problem: string) => void;
}

/** The content of one change. Null if its value doesn't match its field. */
type Said = Pick<Partial<CallbackContent>, "changes" | "templates"> | null;

const READERS: Readonly<Record<string, (change: Change, reading: Reading) => Promise<Said> | Said>> = {
  messages: readNumber,
  user_preferences: readNumber,
  user_id_update: readNumber,
  calls: readNumber,
  message_template_status_update: readTemplate,
};

/**
 * Reads a callback's body. An unreadable part never drops the rest. The number of entries that are read is limited,
 * whatever the body contains, and other requests are served in between.
 * @param receivedAt used for entries without a time.
 */
export async function readCallback(json: unknown, receivedAt: Date): Promise<CallbackContent> {
  const unknown = new Set<string>();
  const report = (problem: string) => void unknown.add(problem);
  const reading = { take: createTakeCapped(report), yieldToEventLoop: createYielder(), report };
  const said: NonNullable<Said>[] = [];
  const entries = isObject(json) ? json.entry : undefined;
  if (!Array.isArray(entries)) report("the body isn't a webhook of the Cloud API");
  for (const entry of reading.take("entries", entries)) {
    await reading.yieldToEventLoop();
    const { id, changes } = isObject(entry) ? entry : {};
    if (!Array.isArray(changes)) report("an entry");
    const wabaId = upstreamId.safeParse(storable(id)).data ?? "";
    for (const change of reading.take("changes", changes)) {
      await reading.yieldToEventLoop();
      said.push((await readChange(change, { wabaId, receivedAt }, reading)) ?? {});
    }
  }
  return {
    changes: said.flatMap(({ changes = [] }) => changes),
    templates: said.flatMap(({ templates = [] }) => templates),
    unknown: [...unknown],
  };
}

async function readChange(change: unknown, origin: Omit<Change, "value">, reading: Reading): Promise<Said> {
  const { field: name, value } = isObject(change) ? change : {};
  const field = storable(name);
  if (typeof field !== "string") {
    reading.report("a change");
    return null;
  }
  if (IGNORED_FIELDS.has(field)) return null;
  const read = Object.hasOwn(READERS, field) ? READERS[field] : undefined;
  const said = (await read?.({ ...origin, value }, reading)) ?? null;
  if (said === null) reading.report(`a change of the field ${field.slice(0, 40)}`);
  return said;
}

/** Cheaper than a schema, which checks every member. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the entries of a list in a body, up to a maximum for all lists with the same name. */
type TakeCapped = (name: string, list: unknown) => readonly unknown[];

/** @param report called once for each name whose lists exceed the maximum. */
function createTakeCapped(report: (problem: string) => void): TakeCapped {
  const countByName = new Map<string, number>();
  return (name, list) => {
    if (!Array.isArray(list)) return [];
    const free = LIST_MAX - (countByName.get(name) ?? 0);
    if (list.length > free) report(`${name} beyond the first ${LIST_MAX}`);
    const entries: readonly unknown[] = list.slice(0, free);
    countByName.set(name, LIST_MAX - free + entries.length);
    return entries;
  };
}

const metadataSchema = z.object({ phone_number_id: upstreamId });
const callDirection = z.object({ direction: z.literal("BUSINESS_INITIATED") });
const callStatus = z.object({ type: z.literal("call") });

async function readNumber({ value, receivedAt }: Change, reading: Reading): Promise<Said> {
  if (!isObject(value)) return null;
  const metadata = metadataSchema.safeParse(storable(value.metadata));
  if (!metadata.success) return null;
  const each = async <T>(name: string, what: string | null, read: (entry: unknown) => T | null) => {
    const all: T[] = [];
    for (const entry of reading.take(name, value[name])) {
      await reading.yieldToEventLoop();
      const one = read(storable(entry));
      if (one !== null) all.push(one);
      else if (what !== null) reading.report(what);
    }
    return all;
  };
  const contacts = contactBook(
    await each("contacts", null, (entry) => contactEntry.safeParse(entry).data ?? null),
  );
  const statuses = await each("statuses", "a status", (entry) =>
    callStatus.safeParse(entry).success ? NOTHING_SAID : readStatus(entry),
  );
  const messages = await each("messages", "a message", (entry) => readInbound(entry, contacts, receivedAt));
  const calls = await each("calls", "a call", (entry) =>
    callDirection.safeParse(entry).success ? [] : readCall(entry, receivedAt),
  );
  const change: NumberChange = {
    phoneNumberId: metadata.data.phone_number_id,
    statuses: statuses.flatMap(({ report }) => report ?? []),
    recipients: statuses.flatMap(({ recipient }) => recipient ?? []),
    messages: [...messages, ...calls.flat()],
    preferences: await each("user_preferences", "a preference", (entry) => readPreference(entry, receivedAt)),
    renamings: await each("user_id_update", "a new id", (entry) => readRenaming(entry, receivedAt)),
  };
  for (const error of await each("errors", "an error", readUpstreamError)) reading.report(error);
  return { changes: [change] };
}

/** https://developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/errors */
const upstreamError = z.object({ code: z.number(), title: maybeText });

/** The requests concerned got the same error, so it is only reported. */
function readUpstreamError(entry: unknown): string | null {
  const { data } = upstreamError.safeParse(entry);
  return data ? `the upstream's error ${data.code} ${data.title?.slice(0, 100) ?? ""}`.trim() : null;
}

/** The result for a status that isn't about a message. */
const NOTHING_SAID = { report: null, recipient: null } as const;

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

function readTemplate({ wabaId, value }: Change): Said {
  const parsed = templateValue.safeParse(storable(value));
  if (!parsed.success) return null;
  const { event, reason, ...template } = parsed.data;
  const change: TemplateChange = {
    wabaId,
    name: template.message_template_name,
    language: template.message_template_language,
    upstreamId: template.message_template_id ?? null,
    state: templateState(event),
    reason: reason === undefined || reason === NO_REASON ? null : keptWords(reason),
  };
  return { templates: [change] };
}
