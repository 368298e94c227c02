import { Tag } from "@/app/ui/tag";
import type { DeliveryState } from "./types";
import { DELIVERY_STATES } from "./words";

/** The state's name in the documentation. */
export function StateTag({ state }: { state: DeliveryState }) {
  return <Tag tone={DELIVERY_STATES[state].tone}>{state}</Tag>;
}
