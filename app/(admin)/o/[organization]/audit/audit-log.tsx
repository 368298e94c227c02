"use client";

import { Anchor, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Page } from "@/app/ui/admin-page";
import { type Column, DataTable, WholeTime } from "@/app/ui/data-table";
import { ExportButton } from "@/app/ui/export-button";
import { NoMatches } from "@/app/ui/filters";
import { COUNTED_ONCE, ListPage } from "@/app/ui/list-page";
import { PageLink } from "@/app/ui/page-link";
import { Empty } from "@/app/ui/query-state";
import { useTRPC } from "@/app/ui/trpc";
import type { AuditSubject } from "@/server/core/audit/actions";
import type { Capability } from "@/server/core/capabilities";
import { useMay, usePath, useViewer } from "../shared/viewer";
import { FilterBar, useAuditFilter } from "./audit-filter";
import { type Act, Changes } from "./changes";

const COLUMNS: Column<Act>[] = [
  { head: "Action", share: 34, cell: (act) => <What of={act} /> },
  { head: "Changes", cell: (act) => <Changes of={act} /> },
  { head: "Time", share: 27, cell: ({ at }) => <WholeTime at={at} isExact /> },
  { head: "IP address", cell: ({ address }) => address ?? "–" },
];

function What({ of: { actor, words, subject } }: { of: Act }) {
  return (
    <Stack gap={0} maw="20rem">
      <span>
        <strong>{actorName(actor)}</strong> {words}
      </span>
      <Text span size="sm" fw={400} style={{ overflowWrap: "break-word" }}>
        <Subject of={subject} />
      </Text>
      {actor.email === null ? null : (
        <Text span c="dimmed" fz="0.8125rem" fw={400}>
          {actor.email}
        </Text>
      )}
    </Stack>
  );
}

function actorName({ kind, name, id }: Act["actor"]): string {
  if (kind === "system") return `Waypost (${id})`;
  return name ?? (kind === "key" ? "A key" : "A former member");
}

export function AuditLog() {
  const filter = useAuditFilter();
  const { organization } = useViewer();
  return (
    <Page
      title="Audit log"
      lead="Who did what in this organization, when, and from which IP address. Entries can’t be changed, and they contain no secrets."
      actions={<ExportButton list="audit" organizationId={organization.id} filter={filter.input} />}
    >
      <FilterBar filter={filter} />
      <List filter={filter} />
    </Page>
  );
}

function List({ filter }: { filter: ReturnType<typeof useAuditFilter> }) {
  const { input, pageInput, isFiltered, clear } = filter;
  const trpc = useTRPC();
  const query = useQuery(trpc.audit.list.queryOptions(pageInput, { placeholderData: keepPreviousData }));
  return (
    <ListPage
      query={query}
      place={filter}
      total={trpc.audit.count.queryOptions(input, COUNTED_ONCE)}
      waysFrom={({ data, next_cursor: next }) => ({
        next,
        further: data.length === 0 ? "Search older" : "Older",
      })}
    >
      {({ data, next_cursor: next }) =>
        data.length === 0 ? (
          <NoActs isFiltered={isFiltered} isMore={next !== null} onClear={clear} />
        ) : (
          <DataTable caption="Actions, newest first" columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
        )
      }
    </ListPage>
  );
}

function NoActs({
  isFiltered,
  isMore,
  onClear,
}: {
  isFiltered: boolean;
  isMore: boolean;
  onClear: () => void;
}) {
  if (!isFiltered) {
    return <Empty title="No actions yet">Changes by members and operators appear here.</Empty>;
  }
  return (
    <NoMatches
      noun="actions"
      isMore={isMore}
      title="No matches"
      advice="No actions match the filters."
      onClear={onClear}
    />
  );
}

/** For each kind of subject: its page, who may see that, and how to call a subject without a name. */
const PLACES = {
  organization: { path: () => "/settings", capability: "organization.read", noun: "the organization" },
  member: { path: () => "/members", capability: "members.manage", noun: "a member" },
  invitation: { path: () => "/members", capability: "members.manage", noun: "the invitation" },
  key: { path: (id) => `/keys/${id}`, capability: "integrations.manage_api", noun: "the key" },
  channel: { path: (id) => `/channels/${id}`, capability: "channels.read", noun: "the channel" },
  template: { path: (id) => `/templates/${id}`, capability: "templates.read", noun: "the template" },
  contact: { path: (id) => `/contacts/${id}`, capability: "contacts.read", noun: "the contact" },
  conversation: { path: (id) => `/messages?q=${id}`, capability: "messages.read", noun: "the conversation" },
  message: { path: (id) => `/messages/${id}`, capability: "messages.read", noun: "the message" },
  webhook: { path: (id) => `/webhooks/${id}`, capability: "webhooks.manage", noun: "the endpoint" },
} as const satisfies Record<
  AuditSubject,
  { path: (id: string) => string; capability: Capability; noun: string }
>;

function isKnown(kind: string): kind is AuditSubject {
  return Object.hasOwn(PLACES, kind);
}

/** Names the subject of an act, with a link for viewers who may open its page. */
function Subject({ of: { kind, id, name } }: { of: Act["subject"] }) {
  const path = usePath();
  const may = useMay();
  if (!isKnown(kind)) return `${kind} ${name ?? id}`;
  const place = PLACES[kind];
  const words = name ?? place.noun;
  if (!may(place.capability)) return words;
  return (
    <Anchor inherit component={PageLink} href={path(place.path(id))}>
      {words}
    </Anchor>
  );
}
