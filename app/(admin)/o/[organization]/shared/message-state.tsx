import type { inferOutput } from "@trpc/tanstack-react-query";
import { Tag, type Tone } from "@/app/ui/tag";
import type { Procedures } from "@/app/ui/trpc";

export type MessageRow = inferOutput<Procedures["messages"]["search"]>["data"][number];
export type MessageState = MessageRow["state"];

const TONES = {
  queued: "neutral",
  sent: "info",
  delivered: "good",
  read: "good",
  failed: "bad",
} as const satisfies Record<MessageState, Tone>;

export const hasArrived = ({ state }: Pick<MessageRow, "state">) => state === "delivered" || state === "read";

/** The state's name in the documentation. */
export function StateTag({ state, isInDoubt = false }: { state: MessageState; isInDoubt?: boolean }) {
  if (state === "queued" && isInDoubt) return <Tag tone="warn">waiting for confirmation</Tag>;
  return <Tag tone={TONES[state]}>{state}</Tag>;
}
