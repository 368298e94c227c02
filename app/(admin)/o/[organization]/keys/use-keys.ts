"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAskAnew } from "@/app/ui/use-ask-anew";
import type { Channel } from "./types";

/** Every channel of the organization. */
export function useChannels() {
  const trpc = useTRPC();
  const client = useTRPCClient();
  return useQuery({
    queryKey: [...trpc.channels.list.queryKey(), "every one"],
    queryFn: async () => {
      const channels: Channel[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await client.channels.list.query({ limit: "100", cursor });
        channels.push(...page.data);
        if (page.next_cursor === null) return channels;
        cursor = page.next_cursor;
      }
    },
  });
}

/** Has everything that shows a key read anew. */
export function useKeysChanged(): () => Promise<void> {
  const trpc = useTRPC();
  const askAnew = useAskAnew();
  return () => askAnew(trpc.keys.pathFilter(), trpc.audit.pathFilter());
}
