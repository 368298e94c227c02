import type { TemplateState } from "@/db/schema";
import type { ErrorCode } from "@/server/platform/errors";
import type { InboundContent } from "./inbound-content";
import type { Person } from "./person";

/** A status that the upstream reported of a message. */
export interface StatusReport {
  /** WhatsApp's id of the message (wamid). */
  readonly upstreamId: string;
  /** Our message id, where the upstream gave it back. */
  readonly messageId: string | null;
  readonly kind: "sent" | "delivered" | "read" | "failed";
  readonly upstreamAt: Date | null;
  /** Number of the customer, where given. */
  readonly recipient: string | null;
  readonly errorCode: ErrorCode | null;
  /** The upstream's own words; `upstreamCode` where it gave a code of a failure. */
  readonly detail: Readonly<Record<string, unknown>> | null;
}

/** A message, and what the upstream called its recipient. */
export interface NamedRecipient {
  /** WhatsApp's id of the message (wamid). */
  readonly upstreamId: string;
  /** Our message id, where the upstream gave it back. */
  readonly messageId: string | null;
  readonly person: Person;
}

export interface Preference {
  /** Whether the customer wants marketing messages. */
  readonly isWanted: boolean;
  /** When the customer said so, by WhatsApp's clock. */
  readonly at: Date;
}

export interface MarketingPreference extends Preference {
  readonly person: Person;
  readonly profileName: string | null;
}

/** A person who goes by new names. */
export interface Renaming {
  readonly previous: Person;
  readonly now: Person;
}

/** What a customer sent, but for the channel it came to. */
export interface InboundMessage {
  readonly from: Person;
  readonly profileName: string | null;
  /** WhatsApp's id of the message (wamid): a repeat of it changes nothing. */
  readonly upstreamId: string;
  readonly content: InboundContent;
  /** When the customer wrote, by WhatsApp's clock. */
  readonly at: Date;
  /** Only what the customer says opens the customer window: not what WhatsApp tells of them. */
  readonly opensWindow: boolean;
  /** New names of the person, where WhatsApp tells of a change. */
  readonly becomes: Person | null;
}

/** What WhatsApp said of a template of one of its accounts. */
export interface TemplateReport {
  readonly name: string;
  readonly language: string;
  readonly upstreamId: string | null;
  readonly state: TemplateState;
  /** Why it was rejected, paused or disabled, in WhatsApp's words. */
  readonly reason: string | null;
}
