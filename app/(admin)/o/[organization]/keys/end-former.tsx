"use client";

import type { ButtonProps } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { ActButton } from "@/app/ui/act-button";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAct } from "@/app/ui/use-act";
import { useKeysChanged } from "./use-keys-changed";

/** Ends a former secret before its overlap does. The key and its present secret work on. */
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
  const changed = useKeysChanged();
  const act = useAct(async () => {
    await client.keys.endFormerSecret.mutate({ keyId, secretId });
    notifications.show({ message: "The former secret has ended. The present one works on." });
    onEnded?.();
    await changed();
  });
  return (
    <ActButton act={act} {...button}>
      {children}
    </ActButton>
  );
}
