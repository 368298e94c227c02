import { InlineLink } from "../../shared/inline-link";
import type { ReceivedWebhook } from "./signature";

/** A link to the message that a webhook is about, or to the customer who wrote. */
export function AboutLink({ about }: { about: NonNullable<ReceivedWebhook["about"]> }) {
  if (about.kind === "contact") {
    return (
      <InlineLink to={`/contacts/${about.contactId}`}>a message from {about.name ?? "a customer"}</InlineLink>
    );
  }
  return <InlineLink to={`/messages/${about.messageId}`}>{about.clientMessageId ?? "a message"}</InlineLink>;
}
