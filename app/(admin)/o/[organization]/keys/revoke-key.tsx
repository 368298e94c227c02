"use client";

import { Stack, Text, Textarea } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { ConfirmTyped } from "@/app/ui/confirm-typed";
import { Dialog } from "@/app/ui/dialog";
import { visibleText } from "@/app/ui/visible-text";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";
import type { KeyDetail } from "./types";

interface Props {
  of: KeyDetail;
  onClose: () => void;
}

/** Revokes a key for good, after its name has been typed. */
export function RevokeKey({ isOpen, ...props }: Props & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title={`Revoke ${props.of.name}`} size="md">
      <RevokeForm {...props} />
    </Dialog>
  );
}

function RevokeForm({ of: { id, name }, onClose }: Props) {
  const client = useTRPCClient();
  const changed = useChanged("keys");
  const [reason, setReason] = useState("");
  // Some older names consist of invisible characters only.
  const isNamed = visibleText(name) !== "";
  const act = useAction(async () => {
    await client.keys.revoke.mutate({ keyId: id, reason });
    notifications.show({ message: `${name} was revoked.` });
    onClose();
    await changed();
  });
  return (
    <Stack gap="md">
      <Text style={{ overflowWrap: "anywhere" }}>
        The key and all its secrets stop working immediately: the next request is refused. This can’t be
        undone. Messages that were already accepted are still sent.
      </Text>
      <ConfirmTyped
        label={isNamed ? "Name of the key" : "ID of the key"}
        word={isNamed ? name : id}
        act={act}
        fault={act.faultBeside("reason")}
        confirm="Revoke key"
        onClose={onClose}
      >
        <Textarea
          label="Reason"
          description="Optional, for the audit log"
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          error={act.faultAt("reason")}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </ConfirmTyped>
    </Stack>
  );
}
