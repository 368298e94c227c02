import type { Services } from "@/server/core/context";
import type { CoalescedJobs } from "@/server/core/jobs";

/** Dependencies shared by the functions. */
export interface JobRunner {
  readonly services: Services;
  readonly jobs: Omit<CoalescedJobs, "resend">;
}
