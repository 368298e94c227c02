import type { Services } from "@/server/context";
import type { CoalescedJobs } from "@/server/jobs";

/** What the functions work with. */
export interface JobRunner {
  readonly services: Services;
  readonly jobs: Omit<CoalescedJobs, "resend">;
}
