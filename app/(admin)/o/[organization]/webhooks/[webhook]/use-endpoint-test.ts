"use client";

import type { inferOutput } from "@trpc/tanstack-react-query";
import { useState } from "react";
import { type Procedures, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useWebhooksChanged } from "../use-webhooks-changed";

export interface EndpointTest extends inferOutput<Procedures["webhooks"]["test"]> {
  /** Milliseconds since 1970. */
  readonly endedAt: number;
}

/** Sends an endpoint a test when the button is pressed, and keeps the result until the next test. */
export function useEndpointTest(id: string) {
  const client = useTRPCClient();
  const changed = useWebhooksChanged();
  const [result, setResult] = useState<EndpointTest | null>(null);
  const act = useAction(async () => {
    setResult(null);
    const answered = await client.webhooks.test.mutate({ id });
    setResult({ ...answered, endedAt: Date.now() });
    await changed();
  });
  return { act, result, forget: () => setResult(null) };
}
