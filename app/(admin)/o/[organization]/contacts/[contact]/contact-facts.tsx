"use client";

import { Anchor, Group, Text } from "@mantine/core";
import { CopyIcon } from "@/app/ui/copy";
import { Whole } from "@/app/ui/data-table";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { PageLink } from "@/app/ui/page-link";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { InlineLink } from "../../shared/inline-link";
import { useMay, usePath } from "../../shared/viewer";
import type { ContactDetail } from "../types";
import { spelled } from "../words";

/** Shows everything known about a contact except the conversations. */
export function ContactFacts({ contact }: { contact: ContactDetail }) {
  const { identities, marketingOptedOutAt, mergedIds, createdAt, erasedAt, id } = contact;
  const path = usePath();
  const may = useMay();
  return (
    <Facts>
      {identities.map((identity) => (
        <Fact key={`${identity.kind} ${identity.handle}`} name={KIND_WORDS[identity.kind]}>
          <Handle of={identity} />
        </Fact>
      ))}
      {erasedAt === null ? (
        <Fact name="Marketing">
          {marketingOptedOutAt === null ? (
            "not opted out"
          ) : (
            <>
              opted out <Time at={marketingOptedOutAt} />
            </>
          )}
        </Fact>
      ) : null}
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
  bsuid: "WhatsApp ID",
  parent_bsuid: "WhatsApp ID for the parent portfolio",
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
