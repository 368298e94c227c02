"use client";

import { List, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { ConfirmTyped } from "@/app/ui/confirm-typed";
import { Dialog } from "@/app/ui/dialog";
import { count } from "@/app/ui/format";
import { QueryState } from "@/app/ui/query-state";
import { visibleText } from "@/app/ui/visible-text";
import { type Procedures, useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import type { ContactDetail } from "../types";
import { spelled } from "../../shared/customer-name";
import { titleOf } from "../words";

type Preview = inferOutput<Procedures["contacts"]["previewErasure"]>;

interface Props {
  readonly contact: ContactDetail;
  readonly onClose: () => void;
}

/** Erases a contact for good. First it says what is erased and what stays, and asks for the contact's name. */
export function EraseContact({ isOpen, ...props }: Props & { readonly isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title={`Erase ${titleOf(props.contact)}`}>
      <Erasure {...props} />
    </Dialog>
  );
}

/** The form appears together with the preview: the loss is stated first, and no button moves while it loads. */
function Erasure(props: Props) {
  const query = useQuery(useTRPC().contacts.previewErasure.queryOptions({ contactId: props.contact.id }));
  return (
    <QueryState query={query} rows={8}>
      {(counts) => (
        <Stack gap="md">
          <LostAndKept counts={counts} />
          <EraseForm {...props} />
        </Stack>
      )}
    </QueryState>
  );
}

/** Such as `1 message` or `12 messages`. */
function counted(number: number, noun: string): string {
  return `${count.format(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function LostAndKept({ counts: { contacts, names, messages, isMore, queued } }: { counts: Preview }) {
  return (
    <>
      <div>
        <Text fw={600}>Waypost erases all its copies of:</Text>
        <List size="sm" mt={4} spacing={2}>
          <List.Item>the name and {counted(names, "WhatsApp number or ID")}</List.Item>
          <List.Item>
            the content of {isMore ? "more than " : null}
            {counted(messages, "message")}, including messages from the customer
          </List.Item>
          <List.Item>files that were not sent to anyone else</List.Item>
          <List.Item>WhatsApp’s reports about the customer</List.Item>
          {queued === 0 ? null : (
            <List.Item>{counted(queued, "message")} not sent yet: these fail and are never sent</List.Item>
          )}
        </List>
      </div>
      <div>
        <Text fw={600}>Waypost keeps:</Text>
        <List size="sm" mt={4} spacing={2}>
          <List.Item>the IDs, states and times of messages, and the usage counts</List.Item>
          <List.Item>
            the IDs of the contact and its conversations (nobody can send messages to them any more)
          </List.Item>
          <List.Item>an audit log entry with the ID of the contact and who erased it</List.Item>
        </List>
      </div>
      <Text size="sm">
        {contacts === 1
          ? null
          : `${counted(contacts, "contact")} belong to this person. All of them are erased. `}
        This can’t be undone. WhatsApp and your own programs keep their own copies. If the customer writes
        again, they become a new contact.
      </Text>
    </>
  );
}

function EraseForm({ contact, onClose }: Props) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refetch = useRefetch();
  const act = useAction(async () => {
    const { messages, failed } = await client.contacts.erase.mutate({ contactId: contact.id });
    const unsent = failed === 0 ? "" : ` ${counted(failed, "message")} will not be sent.`;
    notifications.show({
      message: `The contact and the content of ${counted(messages, "message")} were erased.${unsent}`,
    });
    onClose();
    await refetch(trpc.contacts.pathFilter(), trpc.messages.pathFilter(), trpc.audit.pathFilter());
  });
  return (
    <ConfirmTyped {...confirmationOf(contact)} act={act} confirm="Erase permanently" onClose={onClose} />
  );
}

interface Confirmation {
  readonly label: string;
  readonly word: string;
  readonly isSame?: (typed: string) => boolean;
}

/** Returns what the user has to type: the number in any spelling, else the name, else a fixed word. */
function confirmationOf({ name, identities }: ContactDetail): Confirmation {
  const number = identities.find(({ kind }) => kind === "whatsapp")?.handle;
  if (number !== undefined) {
    return {
      label: "Number of the contact",
      word: spelled(number),
      isSame: (typed) => typed.replace(/\D/g, "") === number,
    };
  }
  const isNamed = name !== null && visibleText(name) !== "";
  return isNamed ? { label: "Name of the contact", word: name } : { label: "Confirmation", word: "erase" };
}
