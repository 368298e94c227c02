"use client";

import type { ButtonProps } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ActionButton } from "@/app/ui/action-button";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";

/** Ends a previous secret before its overlap does. The key and its current secret keep working. */
export function EndFormer({
  keyId,
  secretId,
  onEnded,
  children,
  ...button
}: {
  keyId: string;
  secretId: string;
  onEnded?: () => void;
  children: string;
} & Pick<ButtonProps, "size" | "variant" | "color">) {
  const client = useTRPCClient();
  const changed = useChanged("keys");
  const act = useAction(async () => {
    await client.keys.endFormerSecret.mutate({ keyId, secretId });
    notifications.show({ message: "The previous secret has expired. The current secret keeps working." });
    onEnded?.();
    await changed();
  });
  return (
    <ActionButton act={act} {...button}>
      {children}
    </ActionButton>
  );
}
