import type { TemplateState } from "@/db/schema";
import type { ErrorCode } from "@/server/platform/errors";
import type { InboundContent } from "./inbound-content";
import type { Person } from "./person";

/** A status that the upstream reported for a message. */
export interface StatusReport {
  /** WhatsApp's id of the message (wamid). */
  readonly upstreamId: string;
  /** Our message id, if the upstream returned it. */
  readonly messageId: string | null;
  readonly kind: "sent" | "delivered" | "read" | "failed";
  readonly upstreamAt: Date | null;
  /** The customer's number, if present. */
  readonly recipient: string | null;
  readonly errorCode: ErrorCode | null;
  /** The upstream's own error text. `upstreamCode` is set if it gave an error code. */
  readonly detail: Readonly<Record<string, unknown>> | null;
}

/** A message, and the upstream's name for its recipient. */
export interface NamedRecipient {
  /** WhatsApp's id of the message (wamid). */
  readonly upstreamId: string;
  /** Our message id, if the upstream returned it. */
  readonly messageId: string | null;
  readonly person: Person;
}

export interface Preference {
  /** True if the customer wants marketing messages. */
  readonly isWanted: boolean;
  /** When the customer decided, by WhatsApp's clock. */
  readonly at: Date;
}

export interface MarketingPreference extends Preference {
  readonly person: Person;
  readonly profileName: string | null;
}

/** A person who has new names. */
export interface Renaming {
  readonly previous: Person;
  readonly now: Person;
}

/** The same without a message. */
export interface DatedRenaming extends Renaming {
  /** By WhatsApp's clock. */
  readonly at: Date;
}

/** A message from a customer, without its channel. */
export interface InboundMessage {
  readonly from: Person;
  readonly profileName: string | null;
  /** WhatsApp's id of the message (wamid). A repeat of it changes nothing. */
  readonly upstreamId: string;
  readonly content: InboundContent;
  /** When the customer wrote, by WhatsApp's clock. */
  readonly at: Date;
  /** Only content from the customer opens the customer window, not WhatsApp's information about them. */
  readonly opensWindow: boolean;
  /** The person's new names, if WhatsApp reports a change. */
  readonly becomes: Person | null;
}

/** WhatsApp's report about a template of one of its accounts. */
export interface TemplateReport {
  readonly name: string;
  readonly language: string;
  readonly upstreamId: string | null;
  readonly state: TemplateState;
  /** The reason for a rejection, pause or disabling, in WhatsApp's words. */
  readonly reason: string | null;
}
