"use client";

import { Anchor, Button, Code, Group, SegmentedControl } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type inferParserType, parseAsStringLiteral, useQueryState } from "nuqs";
import { useRef, useState } from "react";
import { type Column, Cut, Line, WholeTime } from "@/app/ui/data-table";
import { IconPlus, IconZoomQuestion } from "@/app/ui/icons";
import { ListPage } from "@/app/ui/list-page";
import { Page } from "@/app/ui/admin-page";
import { PageLink } from "@/app/ui/page-link";
import { Empty } from "@/app/ui/query-state";
import { SortableTable } from "@/app/ui/sortable-table";
import { useTRPC } from "@/app/ui/trpc";
import { useListFilter } from "@/app/ui/use-list-filter";
import { usePath } from "../shared/viewer";
import { CreateKey } from "./create-key";
import { FindKey } from "./find-key";
import { KeyTags } from "./key-tags";
import styles from "./keys.module.css";
import { RevealSecret } from "./reveal-secret";
import type { Key, NewSecret } from "./types";
import { scopesInWords } from "./words";

const FILTERS = {
  current: { label: "Active", statuses: ["live", "expired"] },
  revoked: { label: "Revoked", statuses: ["revoked"] },
  all: { label: "All", statuses: ["live", "expired", "revoked"] },
} as const satisfies Record<string, { label: string; statuses: Key["status"][] }>;

const FILTER_NAMES = ["current", "revoked", "all"] as const satisfies (keyof typeof FILTERS)[];

/** Uses arrive on their own. */
const REFRESH_MS = 10_000;

const parsers = { show: parseAsStringLiteral(FILTER_NAMES).withDefault("current") };

const inputOf = ({ show }: inferParserType<typeof parsers>) => ({ statuses: [...FILTERS[show].statuses] });

/** The list's filter. All of it is in the URL. */
const useKeyFilter = () => useListFilter(parsers, inputOf);

const COLUMNS: Column<Key>[] = [
  { head: "Name", share: 15, sortBy: ({ name }) => name, cell: (key) => <Name of={key} /> },
  { head: "State", sortBy: ({ status }) => status, cell: (key) => <KeyTags of={key} /> },
  { head: "Secret", cell: (key) => <Secrets of={key} /> },
  {
    head: "Scopes",
    share: 32,
    cell: ({ scopes }) => (
      <Line>
        <Cut>{scopesInWords(scopes)}</Cut>
      </Line>
    ),
  },
  {
    head: "Channels",
    cell: ({ channelIds }) => (channelIds === null ? "all" : `${channelIds.length} chosen`),
  },
  {
    head: "Last used",
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt }) => (lastUsedAt ? <WholeTime at={lastUsedAt} /> : "never"),
  },
  {
    head: "Expires",
    sortBy: ({ expiresAt }) => expiresAt,
    cell: ({ expiresAt }) => (expiresAt ? <WholeTime at={expiresAt} /> : "never"),
  },
];

function Name({ of: { id, name } }: { of: Key }) {
  const path = usePath();
  return (
    <Line>
      <Cut>
        <Anchor inherit component={PageLink} href={path(`/keys/${id}`)}>
          {name}
        </Anchor>
      </Cut>
    </Line>
  );
}

function Secrets({ of: { secrets } }: { of: Key }) {
  const [secret] = secrets;
  if (!secret) return "–";
  return (
    <Code className={styles.secret}>
      {secret.prefix}…{secret.lastFour}
    </Code>
  );
}

export function Keys() {
  const filter = useKeyFilter();
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(["create", "found"]));
  const [made, setMade] = useState<NewSecret | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const open = (name: "create" | "found") => void setDialog(name, { history: "push" });
  const close = () => void setDialog(null);
  return (
    <Page
      title="API keys"
      lead="Your programs authenticate their requests with an API key. Use a separate key for each program, so that you can replace one without stopping the others."
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconZoomQuestion size={16} aria-hidden />}
            onClick={() => open("found")}
          >
            Look up a key
          </Button>
          <Button
            ref={opener}
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => open("create")}
          >
            Create a key
          </Button>
        </>
      }
    >
      <Group>
        <SegmentedControl
          aria-label="Which keys"
          data={FILTER_NAMES.map((value) => ({ value, label: FILTERS[value].label }))}
          value={filter.filter.show}
          onChange={(show) => filter.change({ show })}
        />
      </Group>
      <List filter={filter} onCreate={() => open("create")} />
      <CreateKey
        isOpen={dialog === "create"}
        onClose={close}
        onMade={(secret) => {
          close();
          filter.toFirst();
          setMade(secret);
        }}
      />
      <FindKey isOpen={dialog === "found"} onClose={close} />
      <RevealSecret made={made} opener={opener} onClose={() => setMade(null)} />
    </Page>
  );
}

function List({
  filter: place,
  onCreate,
}: {
  filter: ReturnType<typeof useKeyFilter>;
  onCreate: () => void;
}) {
  const { filter, input, after, change } = place;
  const trpc = useTRPC();
  const query = useQuery(
    trpc.keys.list.queryOptions(
      { ...input, cursor: after },
      { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
    ),
  );
  return (
    <ListPage query={query} place={place} waysFrom={({ nextCursor: next }) => ({ next })}>
      {({ data, nextCursor }) =>
        data.length === 0 ? (
          <NoKeys
            show={filter.show}
            isFirst={after === null}
            onCreate={onCreate}
            onShowAll={() => change({ show: "all" })}
          />
        ) : (
          <SortableTable
            isComplete={after === null && nextCursor === null}
            caption="API keys, newest first"
            columns={COLUMNS}
            rows={data}
            rowKey={({ id }) => id}
            isMuted={({ status }) => status !== "live"}
          />
        )
      }
    </ListPage>
  );
}

function NoKeys(props: {
  show: keyof typeof FILTERS;
  isFirst: boolean;
  onCreate: () => void;
  onShowAll: () => void;
}) {
  if (!props.isFirst) return <Empty title="No older keys" />;
  if (props.show === "revoked") {
    return (
      <Empty title="No revoked keys">
        <Button variant="default" size="xs" onClick={props.onShowAll}>
          Show all keys
        </Button>
      </Empty>
    );
  }
  return (
    <Empty title={props.show === "all" ? "No keys yet" : "No active keys"}>
      <p>Create a key and give it to the program that sends messages.</p>
      <Button mt="sm" onClick={props.onCreate}>
        Create a key
      </Button>
    </Empty>
  );
}
