import { count } from "@/app/ui/format";
import type { EndpointDetail } from "../types";

/** Returns a text such as `12`, `more than 1,000`, or `many` if none was found among those examined. */
export function manyInWords({ count: many, is_more: isMore }: EndpointDetail["waiting"]): string {
  if (many === 0 && isMore) return "many";
  return `${isMore ? "more than " : ""}${count.format(many)}`;
}

/** Returns a text such as `1 event`, or `more than 1,000 events`. */
export function eventsInWords(many: EndpointDetail["waiting"]): string {
  return `${manyInWords(many)} ${many.count === 1 ? "event" : "events"}`;
}

/** Returns whether there are, or may be, skipped events that can still be sent. */
export function areSkipped({ skipped }: EndpointDetail): boolean {
  return skipped.count > 0 || skipped.is_more;
}
