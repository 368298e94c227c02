"use client";

import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Page } from "@/app/ui/admin-page";
import { CopyIcon } from "@/app/ui/copy";
import { Whole } from "@/app/ui/data-table";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { PageLink } from "@/app/ui/page-link";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { EntityPage } from "../../shared/entity-page";
import { InlineLink } from "../../shared/inline-link";
import { PhoneButton } from "../../shared/phone-link";
import { useMay, usePath } from "../../shared/viewer";
import type { ContactDetail } from "../types";
import { spelled } from "../../shared/customer-name";
import { titleOf } from "../words";
import { Conversations } from "./conversations";
import { EditableFacts } from "./edit-contact";
import { LastMessages } from "./last-messages";

const EraseContact = dynamic(() => import("./erase-contact").then((module) => module.EraseContact));

/** A customer's message opens their window. */
const REFRESH_MS = 10_000;

export function ContactPage({ contactId }: { contactId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.contacts.inspect.queryOptions({ contactId }, { refetchInterval: REFRESH_MS }));
  return (
    <EntityPage kind="Contact" query={query}>
      {(contact) => <OneContact of={contact} />}
    </EntityPage>
  );
}

function OneContact({ of: contact }: { of: ContactDetail }) {
  const path = usePath();
  const may = useMay();
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(["erase"]));
  const isErasable = contact.erasedAt === null && may("contacts.erase");
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
            <PhoneButton {...phoneOf(contact)} />
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
        <MergedOrErased contact={contact} />
        <ContactFacts contact={contact} />
        <Conversations of={contact} />
        {may("messages.read") ? <LastMessages contactId={contact.id} /> : null}
      </Page>
      {isErasable ? (
        <EraseContact contact={contact} isOpen={dialog === "erase"} onClose={() => void setDialog(null)} />
      ) : null}
    </>
  );
}

function phoneOf({ conversations, identities }: ContactDetail) {
  const number = identities.find(({ kind }) => kind === "whatsapp")?.handle ?? null;
  return { channelIds: conversations.map(({ channel }) => channel.id), number };
}

/** Explains that a contact was merged or erased. */
function MergedOrErased({ contact: { erasedAt, mergedInto } }: { contact: ContactDetail }) {
  if (erasedAt !== null) {
    return (
      <Alert color="gray" variant="light">
        Erased <Time at={erasedAt} />. The name, the numbers and the content of the messages are gone. The
        delivery status of each message is kept. If the customer writes again, they become a new contact.
      </Alert>
    );
  }
  if (mergedInto !== null) {
    return (
      <Alert color="yellow" variant="light">
        WhatsApp reported that this is the same person as{" "}
        <InlineLink to={`/contacts/${mergedInto.id}`}>{mergedInto.name ?? "another contact"}</InlineLink>. The
        data of this contact was moved there.
      </Alert>
    );
  }
  return null;
}

/** Shows everything known about a contact except the conversations. */
function ContactFacts({ contact }: { contact: ContactDetail }) {
  const { identities, mergedIds, mergedInto, createdAt, erasedAt, id } = contact;
  const path = usePath();
  const may = useMay();
  return (
    <Facts>
      {erasedAt === null && mergedInto === null ? <EditableFacts contact={contact} /> : null}
      {identities.map((identity) => (
        <Fact key={`${identity.kind} ${identity.handle}`} name={KIND_WORDS[identity.kind]}>
          <Handle of={identity} />
        </Fact>
      ))}
      <Fact name="Created">
        <Time at={createdAt} isExact />
      </Fact>
      {mergedIds.length === 0 ? null : (
        <Fact name="Merged">
          <Merged ids={mergedIds} />
        </Fact>
      )}
      <IdFact name="Contact ID" value={id} />
      {may("audit.read") && erasedAt !== null ? (
        <Fact name="Erased by">
          <Anchor inherit component={PageLink} href={path(`/audit?q=${id}`)}>
            View in the audit log
          </Anchor>
        </Fact>
      ) : null}
    </Facts>
  );
}

type Identity = ContactDetail["identities"][number];

const KIND_WORDS = {
  whatsapp: "Number",
  bsuid: "Business-scoped user ID (BSUID)",
  parent_bsuid: "Parent BSUID",
} as const satisfies Record<Identity["kind"], string>;

function Handle({ of: { kind, handle, refusedAt } }: { of: Identity }) {
  const isNumber = kind === "whatsapp";
  const shown = isNumber ? spelled(handle) : handle;
  return (
    <Group gap="xs" align="center">
      <Whole>{shown}</Whole>
      <CopyIcon value={shown} what={isNumber ? "the number" : "the ID"} />
      {refusedAt === null ? null : (
        <>
          <Tag tone="bad">not reachable</Tag>
          <Text span c="dimmed" size="sm">
            reported by WhatsApp <Time at={refusedAt} />
          </Text>
        </>
      )}
    </Group>
  );
}

function Merged({ ids }: { ids: readonly string[] }) {
  return (
    <>
      {ids.length === 1 ? "Another contact" : `${ids.length} other contacts`} found to be the same person:{" "}
      {ids.map((id, place) => (
        <span key={id}>
          {place === 0 ? null : ", "}
          <InlineLink to={`/contacts/${id}`}>{id}</InlineLink>
        </span>
      ))}
    </>
  );
}
