"use client";

import { Anchor, Stack, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type Column, DataTable, Whole } from "@/app/ui/data-table";
import { ClearFilters } from "@/app/ui/filters";
import { ListPage } from "@/app/ui/list-page";
import { Page } from "@/app/ui/admin-page";
import { PageLink } from "@/app/ui/page-link";
import { Empty } from "@/app/ui/query-state";
import { useTRPC } from "@/app/ui/trpc";
import { ListPanel } from "../shared/list-panel";
import { useListPath } from "../shared/viewer";
import { FilterBar, useTemplateFilter } from "./template-filter";
import { reasonWords } from "./reason-words";
import { ReadState, RefreshButton } from "./refresh";
import styles from "./template.module.css";
import { type Template, TemplateStateTag, TemplateText } from "./template-parts";

const TemplatePanel = dynamic(() => import("./template-panel").then((module) => module.TemplatePanel));

const COLUMNS: Column<Template>[] = [
  { head: "Template", cell: (template) => <Name of={template} /> },
  { head: "State", cell: (template) => <State of={template} /> },
  { head: "Category", cell: ({ category }) => category ?? "–" },
  { head: "Language", cell: ({ language }) => <Whole>{language}</Whole> },
  { head: "Channel", cell: ({ channelName }) => channelName },
];

function Name({ of: { id, name, body } }: { of: Template }) {
  const path = useListPath();
  return (
    <Stack gap={2}>
      <Anchor
        inherit
        component={PageLink}
        href={path(`/templates/${id}`)}
        scroll={false}
        className={styles.name}
      >
        {name}
      </Anchor>
      {body === null ? null : (
        <Text span lineClamp={3} className={styles.text}>
          <TemplateText pieces={body} />
        </Text>
      )}
    </Stack>
  );
}

function State({ of: { state, reason } }: { of: Template }) {
  return (
    <Stack gap={2} align="flex-start" maw="16rem">
      <TemplateStateTag state={state} />
      {reason === null ? null : (
        <Text span size="sm" style={{ overflowWrap: "anywhere" }}>
          {reasonWords(reason)}
        </Text>
      )}
    </Stack>
  );
}

/** The maximum length of a page. */
const CHANNELS_MAX = "100";
/** States change on their own. */
const REFRESH_MS = 10_000;

export function Templates() {
  const filter = useTemplateFilter();
  const trpc = useTRPC();
  const channels =
    useQuery(trpc.channels.survey.queryOptions({ limit: CHANNELS_MAX }, { refetchInterval: REFRESH_MS })).data
      ?.data ?? [];
  return (
    <Page
      title="Templates"
      lead="Message texts that WhatsApp has to approve before you can send them. You write them at Meta. You can send them to customers who haven’t written in the last 24 hours."
      actions={<RefreshButton />}
    >
      <FilterBar filter={filter} channels={channels} />
      <ReadState channels={channels} />
      <List filter={filter} />
      <ListPanel list="/templates" param="template" title="Template">
        {(id) => <TemplatePanel key={id} templateId={id} />}
      </ListPanel>
    </Page>
  );
}

function List({ filter }: { filter: ReturnType<typeof useTemplateFilter> }) {
  const { pageInput, isFiltered, clear } = filter;
  const trpc = useTRPC();
  const query = useQuery(
    trpc.templates.search.queryOptions(pageInput, {
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
    }),
  );
  return (
    <ListPage
      query={query}
      place={filter}
      waysFrom={({ next_cursor: next }) => ({
        next,
        first: "First page",
        nearer: "Previous page",
        further: "Next page",
      })}
    >
      {({ data }) =>
        data.length === 0 ? (
          <NoTemplates isFiltered={isFiltered} onClear={clear} />
        ) : (
          <DataTable
            caption="Templates, by channel and name"
            columns={COLUMNS}
            rows={data}
            rowKey={({ id }) => id}
            isMuted={({ state }) => state === "disabled"}
          />
        )
      }
    </ListPage>
  );
}

function NoTemplates({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (!isFiltered) {
    return (
      <Empty title="No templates yet">
        Create a template in WhatsApp Manager at Meta. It appears here after the next update.
      </Empty>
    );
  }
  return (
    <Empty title="No matching templates">
      <ClearFilters onClear={onClear} />
    </Empty>
  );
}
