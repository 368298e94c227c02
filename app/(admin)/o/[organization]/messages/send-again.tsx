"use client";

import { Button, Checkbox, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { newIdempotencyToken } from "@/app/ui/idempotency-token";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { Time, useNow } from "@/app/ui/time";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { usePath } from "../shared/viewer";
import type { Inspection } from "./message-panel";

/** The button, and the confirmation that states the risk. */
export function SendAgain({ message }: { message: Inspection }) {
  const [idempotencyToken, setIdempotencyToken] = useState<string | null>(null);
  const { resendAfter } = message.explanation;
  const now = useNow();
  if (resendAfter !== null && new Date(resendAfter).getTime() > now) {
    return (
      <Text size="sm" c="dimmed">
        You can send it again <Time at={resendAfter} />.
      </Text>
    );
  }
  return (
    <>
      <Button variant="default" onClick={() => setIdempotencyToken(newIdempotencyToken())}>
        Send again
      </Button>
      <Dialog
        isOpen={idempotencyToken !== null}
        onClose={() => setIdempotencyToken(null)}
        title="Send this message again"
        size="md"
      >
        {idempotencyToken === null ? null : (
          <Question
            message={message}
            idempotencyToken={idempotencyToken}
            onClose={() => setIdempotencyToken(null)}
          />
        )}
      </Dialog>
    </>
  );
}

function Question({
  message: { id, resends, explanation },
  idempotencyToken,
  onClose,
}: {
  message: Inspection;
  idempotencyToken: string;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const path = usePath();
  const router = useRouter();
  const refetch = useRefetch();
  const [isAccepted, setIsAccepted] = useState(false);
  const act = useAction(async () => {
    const { messageId } = await client.messages.resend.mutate({
      messageId: id,
      idempotencyToken,
      acceptRisk: isAccepted,
    });
    onClose();
    notifications.show({ message: "The message was sent again. This is the new message." });
    router.push(path(`/messages/${messageId}`), { scroll: false });
    await refetch(trpc.messages.pathFilter());
  });
  // Somebody else may have sent the message again since it was shown.
  const wasSentAgain = act.faultAt("acceptRisk") !== null;
  const isSentAgain = wasSentAgain || resends.some(({ state }) => state !== "failed");
  const isRisky = wasSentAgain || explanation.resend === "may_duplicate";
  return (
    <form onSubmit={act.onSubmit}>
      <Stack>
        <Text>
          {isRisky
            ? isSentAgain
              ? "This message was already sent again. If you send it once more, the customer may get it twice."
              : "It isn’t known whether the customer received this message. If they did, they will get it twice."
            : "The customer hasn’t received this message. Waypost sends a new message with the same content. This message stays unchanged."}
        </Text>
        {isRisky ? (
          <Checkbox
            label="I accept that the customer may get it twice"
            checked={isAccepted}
            onChange={({ currentTarget }) => setIsAccepted(currentTarget.checked)}
          />
        ) : null}
        <Fault of={act.faultBeside()} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy} isDisabled={isRisky && !isAccepted}>
          Send again
        </DialogButtons>
      </Stack>
    </form>
  );
}
