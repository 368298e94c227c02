import type { Services } from "@/server/core/context";
import type { CoalescedJobs } from "@/server/core/jobs";

/** What the functions work with. */
export interface JobRunner {
  readonly services: Services;
  readonly jobs: Omit<CoalescedJobs, "resend">;
}
