import type { ReactNode } from "react";
import type { Documentation } from "@/server/boot/documentation";
import { documentation } from "../parts/documentation";
import { daysAndHours, spanWords } from "./spans";

/** Facts that sentences contain. */
const fact = (of: (webhooks: Documentation["webhooks"]) => ReactNode) => async () =>
  of((await documentation()).webhooks);

export const AttemptsMax = fact(({ attemptsMax }) => attemptsMax);
export const AvailableKeptDays = fact(({ availableKeptDays }) => availableKeptDays);
export const DisabledAfterDays = fact(({ disabledAfterDays }) => disabledAfterDays);
export const EndpointsMax = fact(({ endpointsMax }) => endpointsMax);
export const FirstRetry = fact(({ retrySeconds }) => spanWords(retrySeconds[0] ?? 0));
export const FormerSecretsMax = fact(({ formerSecretsMax }) => formerSecretsMax);
export const InFlightMax = fact(({ inFlightMax }) => inFlightMax);
export const JitterPercent = fact(({ jitterPercent }) => jitterPercent);
export const KeptDays = fact(({ keptDays }) => keptDays);
export const RetryPeriod = fact(({ retrySeconds }) =>
  daysAndHours(retrySeconds.reduce((sum, seconds) => sum + seconds, 0)),
);
export const SecretOverlapHours = fact(({ secretOverlapHours }) => secretOverlapHours);
export const TimeoutSeconds = fact(({ timeoutSeconds }) => timeoutSeconds);
