"use client";

import { type ButtonProps, Stack } from "@mantine/core";
import { ActButton } from "@/app/ui/act-button";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAct } from "@/app/ui/use-act";
import type { Delivery } from "../types";
import { useWebhooksChanged } from "../use-webhooks-changed";

/** Puts a delivery back into the queue; one that waits is sent now. */
export function Redeliver({
  endpointId,
  of: { id, type, state },
  size,
}: {
  endpointId: string;
  of: Pick<Delivery, "id" | "type" | "state">;
} & Pick<ButtonProps, "size">) {
  const client = useTRPCClient();
  const changed = useWebhooksChanged();
  const act = useAct(async () => {
    await client.webhooks.redeliver.mutate({ id: endpointId, delivery_id: id });
    await changed();
  }, "It is sent again.");
  const words = state === "pending" ? "Send now" : "Send again";
  return (
    <Stack gap="xs" align="flex-start">
      <ActButton act={act} size={size ?? "sm"} variant="default" aria-label={`${words}: ${type}`}>
        {words}
      </ActButton>
    </Stack>
  );
}
