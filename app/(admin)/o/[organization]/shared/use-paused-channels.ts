"use client";

import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { type Procedures, useTRPC } from "@/app/ui/trpc";

export type PausedChannel = inferOutput<Procedures["channels"]["paused"]>["data"][number];

/** A pause lasts for minutes at least. */
const REFRESH_MS = 15_000;

/** Returns the channels that currently send nothing. Empty until the response arrives. */
export function usePausedChannels(): readonly PausedChannel[] {
  const trpc = useTRPC();
  const query = useQuery(trpc.channels.paused.queryOptions({}, { refetchInterval: REFRESH_MS }));
  return query.data?.data ?? [];
}
