import { randomBytes } from "node:crypto";
import { asFields, listOfFields, type Fields } from "./fields";
import { graphErrors } from "./graph-errors";
import { bubbleOf, type Bubble } from "./phone-bubble";
import type { CallRecord, EventRecord, JournalRecord, MarkRecord } from "./records";

/** The latest messages that a phone keeps. Older ones are in the ledger only. */
export const messagesMax = 200;

/** Meta shows the typing indicator for this long, or until the business answers. */
const typingForMs = 25_000;

/** A message, or a note such as a changed number, as the phone shows it. */
export interface PhoneMessage {
  /** The message's wamid. A note has an id of its own. */
  readonly id: string;
  readonly from: "business" | "customer" | "note";
  readonly at: string;
  readonly type: string;
  readonly bubble: Bubble;
  /** The wamid of the quoted message. */
  readonly quotes: string | null;
  /**
   * Of the business's message: accepted, delivered (it is on the phone), read, or failed. Of the customer's: sent,
   * delivered (the business has got it), read.
   */
  readonly state: "sent" | "accepted" | "delivered" | "read" | "failed";
  /** WhatsApp's error, if the message failed. */
  readonly error: { readonly code: number; readonly title: string } | null;
  readonly reactions: { readonly business: string | null; readonly customer: string | null };
  /** The customer's new number, if the note is about that. */
  readonly new_number?: string;
}

interface Kept {
  message: PhoneMessage;
  /** The count of changes at its last change. */
  changed: number;
  /** Of the business's message: the value that each of its statuses repeats. */
  readonly opaque: string | null;
}

/** A status that is planned and not due yet. */
interface Planned {
  readonly dueMs: number;
  readonly id: string;
  readonly state: PhoneMessage["state"];
  readonly error: PhoneMessage["error"];
}

/** The part of a phone that changed. `is_whole`: it contains everything that the phone shows. */
export interface PhoneView {
  readonly cursor: string;
  readonly is_whole: boolean;
  /** Older messages exist that the phone doesn't keep. */
  readonly is_cut: boolean;
  readonly is_typing: boolean;
  readonly messages: readonly PhoneMessage[];
}

const ranks = { sent: 0, accepted: 0, failed: 0, delivered: 1, read: 2 } as const;

export interface PhoneOwner {
  readonly phoneNumberId: string;
  /** A number in digits, or an id of a person. */
  readonly customer: string;
  /** Renders the content of a template message. */
  showTemplate(content: Fields): Bubble;
}

/**
 * What a customer's phone shows of its messages with one number. Derived from the journal's records, each of which may
 * be applied twice. Keeps the latest messages only.
 */
export class Phone {
  readonly #owner: PhoneOwner;
  readonly #epoch = randomBytes(6).toString("hex");
  /** In the order of their arrival. */
  readonly #kept = new Map<string, Kept>();
  /** The wamids of the customer's messages by the serial of their callback. */
  readonly #bySerial = new Map<number, string>();
  #planned: Planned[] = [];
  #changes = 0;
  #isCut = false;
  #typingUntilMs = 0;

  constructor(owner: PhoneOwner) {
    this.#owner = owner;
  }

  /** Takes over a record of the journal, if it is about this phone. */
  apply(record: JournalRecord): void {
    if (record.kind === "delivered") return this.#noteDelivered(record.callbacks);
    if (!("phone_number_id" in record) || record.phone_number_id !== this.#owner.phoneNumberId) return;
    if (record.kind === "call") this.#applyCall(record);
    if (record.kind === "change") this.#applyChange(record);
    if (record.kind === "mark") this.#applyMark(record);
    if (record.kind === "statuses") {
      for (const { wamid, status, error } of record.statuses) {
        this.#setState(wamid, stateOf(status), error === null ? null : errorOf(error));
      }
    }
  }

  /** Returns what has changed since the view with the cursor, or everything if it isn't one of this phone's. */
  view(after: string | null, nowMs: number): PhoneView {
    this.#settleDue(nowMs);
    const [epoch, count] = after?.split(".") ?? [];
    const isWhole = epoch !== this.#epoch;
    const since = isWhole ? -1 : Number(count);
    return {
      cursor: `${this.#epoch}.${this.#changes}`,
      is_whole: isWhole,
      is_cut: this.#isCut,
      is_typing: nowMs < this.#typingUntilMs,
      messages: [...this.#kept.values()]
        .filter(({ changed }) => changed > since)
        .map(({ message }) => message),
    };
  }

  /** Returns the business's messages that are on the phone and unread. */
  unread(nowMs: number): { wamid: string; message_type: string; biz_opaque_callback_data: string | null }[] {
    this.#settleDue(nowMs);
    return [...this.#kept.values()].flatMap(({ message: { id, from, type, state }, opaque }) =>
      from === "business" && state === "delivered"
        ? [{ wamid: id, message_type: type, biz_opaque_callback_data: opaque }]
        : [],
    );
  }

  #applyCall({ accepted, wamid, at, biz_opaque_callback_data }: CallRecord): void {
    if (accepted === null || wamid === null || accepted.recipient !== this.#owner.customer) return;
    const { type, body, statuses } = accepted;
    if (type === "reaction") {
      if (!statuses.some(({ status }) => status === "failed")) this.#react("business", asFields(body) ?? {});
      return;
    }
    this.#typingUntilMs = 0;
    const bubble =
      type === "template" ? this.#owner.showTemplate(asFields(body) ?? {}) : bubbleOf(type, body);
    const quotes = accepted.quotes ?? null;
    const isNew = this.#add(
      { id: wamid, from: "business", at, type, bubble, quotes, state: "accepted" },
      statuses.some(({ isUnnamed }) => isUnnamed) ? null : biz_opaque_callback_data,
    );
    if (!isNew) return;
    for (const { status, afterMs, error } of statuses) {
      const failure = error === undefined ? null : errorOf(error);
      this.#planned.push({
        dueMs: accepted.accepted_at_ms + afterMs,
        id: wamid,
        state: stateOf(status),
        error: failure,
      });
    }
  }

  #applyChange(record: EventRecord): void {
    const value = asFields(record.value) ?? {};
    for (const message of listOfFields(value.messages)) {
      if (this.#isOwn(message.from, message.from_user_id)) this.#applyInbound(message, record);
    }
    for (const call of listOfFields(value.calls)) {
      if (this.#isOwn(call.from, call.from_user_id))
        this.#addNote(record, { text: "You called this business." });
    }
    for (const preference of listOfFields(value.user_preferences)) {
      if (!this.#isOwn(preference.wa_id, preference.user_id)) continue;
      const text =
        preference.value === "stop"
          ? "You stopped marketing messages from this business."
          : "You allowed marketing messages from this business again.";
      this.#addNote(record, { text });
    }
  }

  #applyInbound(message: Fields, record: EventRecord): void {
    const type = String(message.type);
    const content = message[type];
    if (type === "reaction") return this.#react("customer", asFields(content) ?? {});
    if (type === "edit" || type === "revoke") return this.#alter(asFields(content) ?? {});
    if (type === "system") {
      const number = asFields(content)?.wa_id;
      const isNumber = typeof number === "string";
      return this.#addNote(
        record,
        { text: `You changed your number${isNumber ? ` to +${number}` : ""}.` },
        number,
      );
    }
    const quoted = asFields(message.context)?.id;
    const id = String(message.id);
    this.#add({
      id,
      from: "customer",
      at: record.at,
      type,
      bubble: bubbleOf(type, content),
      quotes: typeof quoted === "string" ? quoted : null,
      state: "sent",
    });
    this.#bySerial.set(record.serial, id);
  }

  #addNote({ serial, at }: EventRecord, bubble: Bubble, newNumber?: unknown): void {
    this.#add({
      id: `note.${serial}`,
      from: "note",
      at,
      type: "note",
      bubble,
      quotes: null,
      state: "read",
      ...(typeof newNumber === "string" ? { new_number: newNumber } : {}),
    });
  }

  /** Returns false, and changes nothing, if the message is already there. */
  #add(message: Omit<PhoneMessage, "error" | "reactions">, opaque: string | null = null): boolean {
    if (this.#kept.has(message.id)) return false;
    const shown = { ...message, error: null, reactions: { business: null, customer: null } };
    this.#kept.set(message.id, { message: shown, changed: ++this.#changes, opaque });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size <= messagesMax || oldest === undefined) return true;
    this.#kept.delete(oldest);
    this.#isCut = true;
    this.#planned = this.#planned.filter(({ id }) => id !== oldest);
    for (const [serial, id] of this.#bySerial) if (id === oldest) this.#bySerial.delete(serial);
    return true;
  }

  #react(from: "business" | "customer", { message_id, emoji }: Fields): void {
    const kept = this.#kept.get(String(message_id));
    if (kept === undefined) return;
    const shown = typeof emoji === "string" && emoji !== "" ? emoji : null;
    this.#change(kept, { reactions: { ...kept.message.reactions, [from]: shown } });
  }

  /** The customer changed a message, or without a new content deleted it. */
  #alter({ original_message_id, message }: Fields): void {
    const kept = this.#kept.get(String(original_message_id));
    if (kept?.message.from !== "customer") return;
    const changed = asFields(message);
    const type = String(changed?.type);
    const bubble = changed === null ? { text: "You deleted this message." } : bubbleOf(type, changed[type]);
    this.#change(kept, { bubble });
  }

  /** A mark is about the message and those of the customer before it. */
  #applyMark({ message_id, status, typing_indicator, at }: MarkRecord): void {
    if (status !== 200 || message_id === null || !this.#kept.has(message_id)) return;
    if (typing_indicator) this.#typingUntilMs = Date.parse(at) + typingForMs;
    for (const { message } of this.#kept.values()) {
      if (message.from === "customer") this.#setState(message.id, "read", null);
      if (message.id === message_id) return;
    }
  }

  #noteDelivered(callbacks: readonly string[]): void {
    for (const callback of callbacks) {
      const id = this.#bySerial.get(Number(callback.split(".", 1)[0]));
      if (id !== undefined) this.#setState(id, "delivered", null);
    }
  }

  #settleDue(nowMs: number): void {
    const due = this.#planned.filter(({ dueMs }) => dueMs <= nowMs);
    if (due.length === 0) return;
    this.#planned = this.#planned.filter(({ dueMs }) => dueMs > nowMs);
    for (const { id, state, error } of due) this.#setState(id, state, error);
  }

  /** A state never moves backwards, and nothing that arrived fails. */
  #setState(id: string, state: PhoneMessage["state"], error: PhoneMessage["error"]): void {
    const kept = this.#kept.get(id);
    if (kept === undefined) return;
    const before = kept.message.state;
    const isNews = state === "failed" ? before === "accepted" : ranks[state] > ranks[before];
    if (isNews) this.#change(kept, { state, error });
  }

  #change(kept: Kept, change: Partial<PhoneMessage>): void {
    kept.message = { ...kept.message, ...change };
    kept.changed = ++this.#changes;
  }

  #isOwn = (...ids: readonly unknown[]) => ids.includes(this.#owner.customer);
}

function stateOf(status: "sent" | "delivered" | "read" | "played" | "failed"): PhoneMessage["state"] {
  if (status === "sent") return "accepted";
  return status === "played" ? "read" : status;
}

function errorOf(name: keyof typeof graphErrors): PhoneMessage["error"] {
  const { code, title } = graphErrors[name];
  return { code, title };
}
