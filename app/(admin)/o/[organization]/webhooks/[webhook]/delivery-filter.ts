import type { inferInput } from "@trpc/tanstack-react-query";
import { type inferParserType, parseAsStringLiteral } from "nuqs";
import { timeRangeParsers, timesOf } from "@/app/ui/time-range";
import type { Procedures } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import { DELIVERY_STATE_NAMES, EVENT_TYPE_NAMES } from "../words";

export type DeliveryInput = Pick<
  inferInput<Procedures["webhooks"]["deliveries"]>,
  "state" | "type" | "since" | "until"
>;

const parsers = {
  state: parseAsStringLiteral(DELIVERY_STATE_NAMES),
  type: parseAsStringLiteral(EVENT_TYPE_NAMES),
  ...timeRangeParsers,
};

/** The list's filter. All of it is in the URL. */
export const useDeliveryFilter = () => useListFilter(parsers, inputOf);

function inputOf(filter: inferParserType<typeof parsers>): DeliveryInput {
  const { state, type } = filter;
  return {
    ...(state === null ? {} : { state }),
    ...(type === null ? {} : { type }),
    ...timesOf(filter),
  };
}

/** Returns the state, if the name is one. */
export const stateOf = (name: string | null) => parsers.state.parse(name ?? "");
export const typeOf = (name: string | null) => parsers.type.parse(name ?? "");
