import type { Point } from "./usage-filter";

/** The states of messages, from the bottom of a bar to its top. */
export const STATES = [
  { name: "read", label: "Read", meaning: "the customer opened it" },
  { name: "delivered", label: "Delivered", meaning: "it is on the customer’s phone" },
  { name: "sent", label: "Sent", meaning: "WhatsApp has it" },
  { name: "queued", label: "Queued", meaning: "it is waiting to be sent to WhatsApp, or for confirmation" },
  { name: "failed", label: "Failed", meaning: "it will not be delivered" },
] as const satisfies readonly { name: keyof Point; label: string; meaning: string }[];

export type StateName = (typeof STATES)[number]["name"];
