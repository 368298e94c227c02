"use client";

import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { CopyIcon } from "@/app/ui/copy";
import { type Column, DataTable, Whole } from "@/app/ui/data-table";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { Page } from "@/app/ui/page";
import { PageLink } from "@/app/ui/page-link";
import { Empty, QueryState } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { useMay, usePath } from "../../shell/viewer";
import { Window } from "../contacts";
import type { ContactDetail } from "../types";
import { spelled, titleOf } from "../words";

const EraseContact = dynamic(() => import("./erase-contact").then((module) => module.EraseContact));

/** A customer who writes opens their window. */
const REFRESH_MS = 10_000;

export function ContactPage({ contactId }: { contactId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.contacts.get.queryOptions({ contactId }, { refetchInterval: REFRESH_MS }));
  return <QueryState query={query}>{(contact) => <OneContact of={contact} />}</QueryState>;
}

function OneContact({ of: contact }: { of: ContactDetail }) {
  const path = usePath();
  const may = useMay();
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(["erase"]));
  const isErased = contact.erasedAt !== null;
  const isErasable = !isErased && may("contacts.erase");
  const messages = new URLSearchParams({ q: contact.id }).toString();
  return (
    <>
      <Page
        title={titleOf(contact)}
        lead={
          <Anchor component={PageLink} href={path("/contacts")} inherit>
            All contacts
          </Anchor>
        }
        actions={
          <>
            <Button variant="default" component={PageLink} href={path(`/messages?${messages}`)}>
              Messages
            </Button>
            {isErasable ? (
              <Button
                variant="default"
                c="var(--mantine-color-error)"
                onClick={() => void setDialog("erase", { history: "push" })}
              >
                Erase
              </Button>
            ) : null}
          </>
        }
      >
        <WhatBecameOf contact={contact} />
        <ContactFacts contact={contact} />
        <Section
          title="Conversations"
          lead={
            isErased
              ? "Their messages, of which the states are kept."
              : "For 24 hours after the customer wrote, any message can be sent; else only approved templates."
          }
        >
          {contact.conversations.length === 0 ? (
            <Empty title="None">Nothing was said with this contact.</Empty>
          ) : (
            <DataTable
              caption="Conversations of the contact, by channel"
              columns={isErased ? COLUMNS_OF_ERASED : COLUMNS}
              rows={contact.conversations}
              rowKey={({ id }) => id}
            />
          )}
        </Section>
      </Page>
      {isErasable ? (
        <EraseContact contact={contact} isOpen={dialog === "erase"} onClose={() => void setDialog(null)} />
      ) : null}
    </>
  );
}

/** Where it isn’t a contact like any other. */
function WhatBecameOf({ contact: { erasedAt, mergedInto } }: { contact: ContactDetail }) {
  const path = usePath();
  if (erasedAt !== null) {
    return (
      <Alert color="gray" variant="light">
        Erased <Time at={erasedAt} />. Name, numbers and what was said are gone; what became of each message
        is kept. If the customer writes again, they are a new contact.
      </Alert>
    );
  }
  if (mergedInto !== null) {
    return (
      <Alert color="yellow" variant="light">
        WhatsApp said that this is the same person as{" "}
        <Anchor inherit underline="always" component={PageLink} href={path(`/contacts/${mergedInto.id}`)}>
          {mergedInto.name ?? "another contact"}
        </Anchor>
        . What was known of this one is there now.
      </Alert>
    );
  }
  return null;
}

function ContactFacts({ contact }: { contact: ContactDetail }) {
  const { identities, marketingOptedOutAt, mergedIds, createdAt, id } = contact;
  const path = usePath();
  const may = useMay();
  return (
    <Facts>
      {identities.map(({ kind, handle, refusedAt }) => (
        <Fact key={`${kind} ${handle}`} name={KIND_WORDS[kind]}>
          <Group gap="xs" align="center">
            <Whole>{kind === "whatsapp" ? spelled(handle) : handle}</Whole>
            <CopyIcon
              value={kind === "whatsapp" ? spelled(handle) : handle}
              what={kind === "whatsapp" ? "the number" : "the id"}
            />
            {refusedAt === null ? null : (
              <>
                <Tag tone="bad">not reachable</Tag>
                <Text span c="dimmed" size="sm">
                  WhatsApp said so <Time at={refusedAt} />
                </Text>
              </>
            )}
          </Group>
        </Fact>
      ))}
      {contact.erasedAt === null ? (
        <Fact name="Marketing">
          {marketingOptedOutAt === null ? (
            "not refused"
          ) : (
            <>
              refused by the customer <Time at={marketingOptedOutAt} />
            </>
          )}
        </Fact>
      ) : null}
      <Fact name="Known since">
        <Time at={createdAt} />
      </Fact>
      {mergedIds.length === 0 ? null : (
        <Fact name="Merged">
          {mergedIds.length === 1 ? "Another contact" : `${mergedIds.length} other contacts`} turned out to be
          the same person:{" "}
          {mergedIds.map((merged, place) => (
            <span key={merged}>
              {place === 0 ? null : ", "}
              <Anchor inherit underline="always" component={PageLink} href={path(`/contacts/${merged}`)}>
                {merged}
              </Anchor>
            </span>
          ))}
        </Fact>
      )}
      <IdFact name="Contact id" value={id} />
      {may("audit.read") && contact.erasedAt !== null ? (
        <Fact name="Erased by">
          <Anchor inherit component={PageLink} href={path(`/audit?id=${id}`)}>
            See the audit log
          </Anchor>
        </Fact>
      ) : null}
    </Facts>
  );
}

type Identity = ContactDetail["identities"][number];

const KIND_WORDS = {
  whatsapp: "Number",
  bsuid: "WhatsApp’s id",
  parent_bsuid: "WhatsApp’s id for the parent portfolio",
} as const satisfies Record<Identity["kind"], string>;

type Conversation = ContactDetail["conversations"][number];

const COLUMNS: Column<Conversation>[] = [
  { head: "Channel", cell: ({ channel }) => <ChannelName channel={channel} /> },
  { head: "Window", cell: (conversation) => <ConversationWindow of={conversation} /> },
  {
    head: "Last wrote",
    cell: ({ lastWroteAt }) =>
      lastWroteAt === null ? (
        "never"
      ) : (
        <Whole>
          <Time at={lastWroteAt} />
        </Whole>
      ),
  },
  { head: "Messages", cell: ({ id, channel }) => <ToMessages threadId={id} channelName={channel.name} /> },
];

/** Nobody is written to any more. */
const COLUMNS_OF_ERASED = COLUMNS.filter(({ head }) => head !== "Window");

function ChannelName({ channel: { id, name, isPaused, isDisabled } }: { channel: Conversation["channel"] }) {
  const path = usePath();
  return (
    <Group gap="xs">
      <Anchor inherit component={PageLink} href={path(`/channels/${id}`)}>
        {name}
      </Anchor>
      {isDisabled ? <Tag tone="neutral">disabled</Tag> : null}
      {isPaused ? <Tag tone="warn">paused</Tag> : null}
    </Group>
  );
}

function ConversationWindow({ of: { windowOpenUntil, isWindowAssumed } }: { of: Conversation }) {
  return (
    <>
      <Window openUntil={windowOpenUntil} />
      {isWindowAssumed ? (
        <Text c="dimmed" size="sm" maw="18rem">
          Assumed: the number was in use before, so they may have written lately.
        </Text>
      ) : null}
    </>
  );
}

function ToMessages({ threadId, channelName }: { threadId: string; channelName: string }) {
  const path = usePath();
  const query = new URLSearchParams({ q: threadId }).toString();
  return (
    <Anchor
      inherit
      component={PageLink}
      href={path(`/messages?${query}`)}
      aria-label={`Messages on ${channelName}`}
    >
      Messages
    </Anchor>
  );
}
