import { Tag } from "@/app/ui/tag";
import type { DeliveryState } from "./types";
import { DELIVERY_STATES } from "./words";

/** The word that the documentation has for it. */
export function StateTag({ state }: { state: DeliveryState }) {
  return <Tag tone={DELIVERY_STATES[state].tone}>{state}</Tag>;
}
