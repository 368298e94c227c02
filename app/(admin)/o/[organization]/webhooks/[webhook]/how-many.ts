import { count } from "@/app/ui/format";
import type { EndpointDetail } from "../types";

/** Such as `12`, `more than 1,000`, or `many` where none was found among those that were looked at. */
export function manyInWords({ count: many, is_more: isMore }: EndpointDetail["waiting"]): string {
  if (many === 0 && isMore) return "many";
  return `${isMore ? "more than " : ""}${count.format(many)}`;
}

/** Such as `1 event`, or `more than 1,000 events`. */
export function eventsInWords(many: EndpointDetail["waiting"]): string {
  return `${manyInWords(many)} ${many.count === 1 ? "event" : "events"}`;
}

/** Whether something was skipped that can be sent after all, or may be. */
export function areSkipped({ skipped }: EndpointDetail): boolean {
  return skipped.count > 0 || skipped.is_more;
}
