"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/app/ui/trpc";
import type { Silence } from "./types";

/** The alarm's threshold is about ten minutes, so refreshing more often adds nothing. */
const REFRESH_MS = 30_000;

/** The channels that sent messages but received no status for them, by channel id. */
export function useSilences(): ReadonlyMap<string, Silence> {
  const trpc = useTRPC();
  const query = useQuery(trpc.channels.awaitingStatus.queryOptions({}, { refetchInterval: REFRESH_MS }));
  return new Map(query.data?.data.map((silence) => [silence.channelId, silence]));
}
