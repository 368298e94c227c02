"use client";

import { Alert, Anchor, Code, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type inferParserType, parseAsString } from "nuqs";
import { Page } from "@/app/ui/admin-page";
import { type Column, Cut, DataTable, Line, Whole, WholeTime } from "@/app/ui/data-table";
import { ClearFilters } from "@/app/ui/filters";
import { COUNTED_ONCE, ListPage } from "@/app/ui/list-page";
import { PageLink } from "@/app/ui/page-link";
import { Empty } from "@/app/ui/query-state";
import { SearchField } from "@/app/ui/search-field";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import { usePath } from "../shared/viewer";
import type { Contact } from "./types";
import { spelled } from "../shared/customer-name";

const COLUMNS: Column<Contact>[] = [
  { head: "Contact", share: 30, cell: (contact) => <Who of={contact} /> },
  { head: "Number", cell: ({ number }) => (number === null ? "–" : <Whole>{spelled(number)}</Whole>) },
  {
    head: "Last customer message",
    cell: ({ lastWroteAt }) => (lastWroteAt === null ? "never" : <WholeTime at={lastWroteAt} />),
  },
  { head: "Window", cell: ({ windowOpenUntil }) => <Window openUntil={windowOpenUntil} /> },
  { head: "Created", cell: ({ createdAt }) => <WholeTime at={createdAt} /> },
];

function Who({ of: { id, name, number, userId, marketingOptedOutAt } }: { of: Contact }) {
  const path = usePath();
  return (
    <Line>
      <Cut>
        <Anchor inherit component={PageLink} href={path(`/contacts/${id}`)}>
          {name ?? (number === null ? (userId ?? "No data") : spelled(number))}
        </Anchor>
      </Cut>
      {userId === null || number !== null || name === null ? null : (
        <Cut isDimmed isCode>
          {userId}
        </Cut>
      )}
      {marketingOptedOutAt === null ? null : <Tag tone="warn">no marketing</Tag>}
    </Line>
  );
}

/** Says whether messages other than templates can be sent. */
export function Window({ openUntil }: { openUntil: string | null }) {
  if (openUntil === null) return <Tag tone="neutral">closed</Tag>;
  return (
    <Line>
      <Tag tone="good">open</Tag>
      <Text span c="dimmed" fz="0.8125rem">
        ends <Time at={openUntil} />
      </Text>
    </Line>
  );
}

export function Contacts() {
  const search = useContactSearch();
  return (
    <Page
      title="Contacts"
      lead="The customers you wrote to or who wrote to you. While a customer’s window is open, you can send any message. Otherwise you can send only templates."
    >
      <search aria-label="Contacts">
        <SearchField
          label="Search contacts"
          placeholder="Name, number or its first three digits, or contact ID"
          value={search.filter.q}
          onSearch={(q) => search.type({ q })}
        />
      </search>
      <List search={search} />
    </Page>
  );
}

function List({ search }: { search: ReturnType<typeof useContactSearch> }) {
  const { input, pageInput, isFiltered, clear } = search;
  const trpc = useTRPC();
  const query = useQuery(trpc.contacts.search.queryOptions(pageInput, { placeholderData: keepPreviousData }));
  return (
    <ListPage
      query={query}
      place={search}
      total={trpc.contacts.count.queryOptions(input, COUNTED_ONCE)}
      waysFrom={({ next_cursor: next }) => ({ next })}
    >
      {({ data, isCut }) => (
        <>
          {isCut ? (
            <Alert color="yellow" variant="light" mb="sm">
              Not all matching contacts were searched. Enter more of the name or number.
            </Alert>
          ) : null}
          {data.length === 0 ? (
            <NoContacts isSearched={isFiltered} onClear={clear} />
          ) : (
            <DataTable
              caption="Contacts, newest first"
              columns={COLUMNS}
              rows={data}
              rowKey={({ id }) => id}
              isMuted={({ number, userId }) => number === null && userId === null}
            />
          )}
        </>
      )}
    </ListPage>
  );
}

function NoContacts({ isSearched, onClear }: { isSearched: boolean; onClear: () => void }) {
  if (!isSearched) {
    return (
      <Empty title="No contacts yet">
        A contact is created when a customer writes, or when a message is sent to a number with{" "}
        <Code>to</Code>.
      </Empty>
    );
  }
  return (
    <Empty title="No matches">
      <p>
        To find a contact, enter the beginning, the second word or the last word of the name, or at least the
        last six digits of the number.
      </p>
      <ClearFilters onClear={onClear}>Clear search</ClearFilters>
    </Empty>
  );
}

const parsers = { q: parseAsString.withDefault("") };

/** The list's search. All of it is in the URL. */
const useContactSearch = () => useListFilter(parsers, inputOf);

function inputOf({ q }: inferParserType<typeof parsers>): { q?: string } {
  const typed = q.trim();
  return typed === "" ? {} : { q: typed };
}
