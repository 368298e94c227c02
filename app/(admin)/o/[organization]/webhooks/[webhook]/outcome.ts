import { duration } from "@/app/ui/format";
import type { Attempt } from "../types";

/** Returns the status and duration of a call: `HTTP 204 after 12 ms`. */
export function outcomeInWords({
  http_status: status,
  duration_ms: ms,
}: Pick<Attempt, "http_status" | "duration_ms">): string {
  const answer = status === null ? "No response" : `HTTP ${status}`;
  return ms === null ? answer : `${answer} after ${duration(ms)}`;
}
