"use client";

import { type ButtonProps, Stack } from "@mantine/core";
import { ActionButton } from "@/app/ui/action-button";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../../shared/use-changed";
import type { Delivery } from "../types";

/** Puts a delivery back into the queue. A waiting delivery is sent now. */
export function Redeliver({
  endpointId,
  of: { id, type, state },
  size,
}: {
  endpointId: string;
  of: Pick<Delivery, "id" | "type" | "state">;
} & Pick<ButtonProps, "size">) {
  const client = useTRPCClient();
  const changed = useChanged("webhooks");
  const act = useAction(async () => {
    await client.webhooks.redeliver.mutate({ id: endpointId, delivery_id: id });
    await changed();
  }, "The event is being sent again.");
  const words = state === "pending" ? "Send now" : "Redeliver";
  return (
    <Stack gap="xs" align="flex-start">
      <ActionButton act={act} size={size ?? "sm"} variant="default" aria-label={`${words}: ${type}`}>
        {words}
      </ActionButton>
    </Stack>
  );
}
