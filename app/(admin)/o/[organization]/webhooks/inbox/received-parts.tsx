import type { inferOutput } from "@trpc/tanstack-react-query";
import { Tag } from "@/app/ui/tag";
import type { Procedures } from "@/app/ui/trpc";
import { InlineLink } from "../../shared/inline-link";

export type ReceivedWebhook = inferOutput<Procedures["inbox"]["list"]>["webhooks"][number];
type Fault = NonNullable<ReceivedWebhook["fault"]>;

const FAULTS = {
  unsigned: {
    label: "not signed",
    meaning: "This webhook has no signature, so anyone could have sent it. Your program should reject it.",
  },
  wrong_time: {
    label: "wrong time",
    meaning:
      "The timestamp in the headers isn’t within five minutes of now. Someone may be replaying an old webhook. Your program should reject it.",
  },
  wrong_signature: {
    label: "wrong signature",
    meaning:
      "This webhook wasn’t signed with the endpoint’s secret. Someone else sent it, or it was changed in transit. Your program should reject it.",
  },
} as const satisfies Record<Fault, { label: string; meaning: string }>;

/** Says in a word or two whether the webhook can be trusted. */
export function SignatureTag({ fault }: { fault: Fault | null }) {
  return fault === null ? <Tag tone="good">verified</Tag> : <Tag tone="bad">{FAULTS[fault].label}</Tag>;
}

export function signatureMeaning(fault: Fault | null): string {
  if (fault !== null) return FAULTS[fault].meaning;
  return "This webhook was signed with the endpoint’s secret just before it was received. It is from Waypost and wasn’t changed.";
}

/** A link to the message that a webhook is about, or to the customer who wrote, or whom it is about. */
export function AboutLink({
  about,
  type,
}: {
  about: NonNullable<ReceivedWebhook["about"]>;
  type: string | null;
}) {
  if (about.kind === "contact") {
    return (
      <InlineLink to={`/contacts/${about.contactId}`}>
        {type === "message.received" ? "a message from " : ""}
        {about.name ?? "a customer"}
      </InlineLink>
    );
  }
  return <InlineLink to={`/messages/${about.messageId}`}>{about.clientMessageId ?? "a message"}</InlineLink>;
}
