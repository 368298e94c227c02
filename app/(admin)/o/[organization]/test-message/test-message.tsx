"use client";

import { Select, Stack, Text, TextInput } from "@mantine/core";
import { useMounted, useSessionStorage } from "@mantine/hooks";
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
import { useOpenContact } from "../shared/use-open-contact";
import { usePath, useViewer } from "../shared/viewer";
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
  const first = useFirstNumber();
  return (
    <Dialog isOpen={isOpen && isThere} onClose={onClose} title="Send a test message">
      <QueryState query={query} rows={4}>
        {() => {
          const usable = channels.filter(({ state }) => state !== "disabled");
          if (usable.length === 0) {
            return <Text>No channel is connected yet. First connect one on the Channels page.</Text>;
          }
          return first.isLoading ? null : (
            <TestForm channels={usable} first={first} onClose={onClose} staysHere={staysHere} />
          );
        }}
      </QueryState>
    </Dialog>
  );
}

function TestForm({
  channels,
  first,
  onClose,
  staysHere = false,
}: Props & { readonly channels: readonly Channel[]; readonly first: FirstNumber }) {
  const [values, setValues] = useState(() => initialValues(channels, first.number));
  const { channelId, number, content } = values;
  const templates = useApprovedTemplates(channelId);
  const [idempotencyToken, setIdempotencyToken] = useState(newIdempotencyToken);
  const send = useSendTest(onClose, staysHere);
  const act = useAction(async () => {
    await send({ idempotencyToken, channelId, number, content: contentOf(content, templates) });
    first.keep(number);
  });
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
          description={
            number !== "" && number === first.simulated
              ? "A simulated customer who wrote within the last 24 hours. You can enter any other number with its country code."
              : "With country code, such as +49 151 12345678"
          }
          type="tel"
          autoComplete="off"
          ref={focusFirst}
          data-autofocus
          onFocus={({ currentTarget }) => currentTarget.select()}
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

function initialValues(channels: readonly Channel[], number: string): Values {
  const channel = channels.find(({ is_default: isDefault }) => isDefault) ?? channels[0];
  return { channelId: channel?.id ?? "", number, content: NO_CONTENT };
}

/** The number that the form begins with. */
interface FirstNumber {
  readonly number: string;
  /** The demo's customer who may get free text. Empty if there is none. */
  readonly simulated: string;
  /** Keeps a number for the member's next test message. */
  keep(number: string): void;
}

/**
 * Returns the number to begin with: the one that this browser tab used last, else, in the demo, the customer who may
 * get free text. A real
 * customer who never got a test message isn't filled in: sending it to them could be a mistake.
 */
function useFirstNumber(): FirstNumber & { readonly isLoading: boolean } {
  const { me, organization } = useViewer();
  const { isLoading, number } = useOpenContact();
  const [last, setLast] = useSessionStorage({
    key: `waypost-test-number:${organization.id}:${me.userId}`,
    defaultValue: "",
    getInitialValueInEffect: false,
  });
  const simulated = organization.isDemo && number !== null ? `+${number}` : "";
  return { isLoading, simulated, number: last === "" ? simulated : last, keep: setLast };
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
