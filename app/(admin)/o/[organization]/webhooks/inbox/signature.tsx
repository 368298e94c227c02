import type { inferOutput } from "@trpc/tanstack-react-query";
import { Tag } from "@/app/ui/tag";
import type { Procedures } from "@/app/ui/trpc";

export type ReceivedWebhook = inferOutput<Procedures["inbox"]["list"]>["webhooks"][number];
type Fault = NonNullable<ReceivedWebhook["fault"]>;

const FAULTS = {
  unsigned: {
    label: "not signed",
    meaning: "It has no signature, so anybody can have sent it. Your program should refuse it.",
  },
  wrong_time: {
    label: "wrong time",
    meaning:
      "The time in its headers isn’t within five minutes of now: somebody may be sending an old one again. Your program should refuse it.",
  },
  wrong_signature: {
    label: "wrong signature",
    meaning:
      "The endpoint’s secret didn’t sign this: somebody else sent it, or it was changed on its way. Your program should refuse it.",
  },
} as const satisfies Record<Fault, { label: string; meaning: string }>;

/** Whether it can be trusted, in a word or two. */
export function SignatureTag({ fault }: { fault: Fault | null }) {
  return fault === null ? <Tag tone="good">verified</Tag> : <Tag tone="bad">{FAULTS[fault].label}</Tag>;
}

export function signatureMeaning(fault: Fault | null): string {
  if (fault !== null) return FAULTS[fault].meaning;
  return "The endpoint’s secret signed exactly this, just before it came in: it is from Waypost, and nobody changed it.";
}
