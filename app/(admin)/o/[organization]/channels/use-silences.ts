"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/app/ui/trpc";
import type { Silence } from "./types";

/** The alarm is about ten minutes. */
const REFRESH_MS = 30_000;

/** Of which channels messages were sent that have no status, by the channel's id. */
export function useSilences(): ReadonlyMap<string, Silence> {
  const trpc = useTRPC();
  const query = useQuery(trpc.channels.awaitingStatus.queryOptions({}, { refetchInterval: REFRESH_MS }));
  return new Map(query.data?.data.map((silence) => [silence.channelId, silence]));
}
