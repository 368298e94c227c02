"use client";

import { Select, Stack, Text, TextInput } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import type { inferInput } from "@trpc/tanstack-react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { newIdempotencyToken } from "@/app/ui/idempotency-token";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault, QueryState } from "@/app/ui/query-state";
import { type Procedures, useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { usePath } from "../shared/viewer";
import { type Channel, useChannels } from "../shared/use-choices";
import { type Content, ContentFields, contentOf, NO_CONTENT, useApprovedTemplates } from "./test-content";

interface Props {
  /** If true, sending doesn't open the message, because the result shows on this page. */
  readonly staysHere?: boolean;
  readonly onClose: () => void;
}

/** Sends a text or a template to one number, by the same rules as any other message. */
export function TestMessage({ isOpen, onClose, staysHere }: Props & { isOpen: boolean }) {
  // Mantine restores the focus only if the dialog was mounted before it opened.
  const isThere = useMounted();
  const { query, channels } = useChannels();
  return (
    <Dialog isOpen={isOpen && isThere} onClose={onClose} title="Send a test message">
      <QueryState query={query} rows={4}>
        {() => {
          const usable = channels.filter(({ state }) => state !== "disabled");
          return usable.length === 0 ? (
            <Text>No channel is connected yet. First connect one on the Channels page.</Text>
          ) : (
            <TestForm channels={usable} onClose={onClose} staysHere={staysHere} />
          );
        }}
      </QueryState>
    </Dialog>
  );
}

function TestForm({
  channels,
  onClose,
  staysHere = false,
}: Props & { readonly channels: readonly Channel[] }) {
  const [values, setValues] = useState(() => initialValues(channels));
  const { channelId, number, content } = values;
  const templates = useApprovedTemplates(channelId);
  const [idempotencyToken, setIdempotencyToken] = useState(newIdempotencyToken);
  const send = useSendTest(onClose, staysHere);
  const act = useAction(() =>
    send({ idempotencyToken, channelId, number, content: contentOf(content, templates) }),
  );
  // Changed input is a new message. Unchanged input is the same message when sent again, even if the response was lost.
  const set = (some: Partial<Values>) => {
    setValues((before) => ({ ...before, ...some }));
    setIdempotencyToken(newIdempotencyToken());
    act.forget();
  };
  return (
    <form onSubmit={act.onSubmit} noValidate>
      <Stack>
        <Select
          label="Channel"
          data={channels.map(({ id, name, display_phone_number: shown }) => ({
            value: id,
            label: `${name} (${shown})`,
          }))}
          allowDeselect={false}
          value={channelId}
          error={act.faultAt("channelId")}
          onChange={(id) => id !== null && set({ channelId: id })}
        />
        <TextInput
          label="Number"
          description="With country code, such as +49 151 12345678"
          type="tel"
          autoComplete="off"
          ref={focusFirst}
          data-autofocus
          value={number}
          error={act.faultAt("number")}
          onChange={({ currentTarget }) => set({ number: currentTarget.value })}
        />
        <ContentFields
          value={content}
          templates={templates}
          faultAt={(field) => act.faultAt(`content.${field}`)}
          onChange={(some) => set({ content: { ...content, ...some } })}
        />
        <Fault of={act.faultBeside("channelId", "number", "content")} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy}>
          Send
        </DialogButtons>
      </Stack>
    </form>
  );
}

interface Values {
  readonly channelId: string;
  readonly number: string;
  readonly content: Content;
}

function initialValues(channels: readonly Channel[]): Values {
  const channel = channels.find(({ is_default: isDefault }) => isDefault) ?? channels[0];
  return { channelId: channel?.id ?? "", number: "", content: NO_CONTENT };
}

/** Sends the message, and then opens it or stays on the page. */
function useSendTest(onSent: () => void, staysHere: boolean) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const path = usePath();
  const router = useRouter();
  const refetch = useRefetch();
  return async (input: inferInput<Procedures["messages"]["sendTest"]>) => {
    const { messageId } = await client.messages.sendTest.mutate(input);
    onSent();
    notifications.show({ message: "The test message was accepted." });
    if (!staysHere) router.push(path(`/messages/${messageId}`), { scroll: false });
    await refetch(trpc.messages.search.queryFilter());
  };
}

/** If the form is loaded after its dialog, the dialog has focused its own button in the meantime. */
function focusFirst(field: HTMLInputElement | null): void {
  if (field?.closest("[role=dialog]")?.contains(document.activeElement)) field.focus();
}
