import { sweepHourly } from "@/server/domain/sweep";
import type { Job } from "./job";

export const sweepHourlyJob: Job = {
  id: "sweep-hourly",
  event: null,
  everyMinutes: 60,
  concurrencyField: null,
  run: ({ services }) => sweepHourly(services),
};
