"use client";

import { Alert, Button, Group, SegmentedControl, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Page } from "@/app/ui/admin-page";
import { Choice } from "@/app/ui/choice";
import { ExportButton } from "@/app/ui/export-button";
import { ClearFilters } from "@/app/ui/filters";
import { Empty, QueryState } from "@/app/ui/query-state";
import { exactTime, Time, useNow } from "@/app/ui/time";
import { MomentsInput } from "@/app/ui/time-range";
import { useTRPC } from "@/app/ui/trpc";
import { useChannelChoices, useKeyChoices } from "../shared/use-choices";
import { useMay, useViewer } from "../shared/viewer";
import { FailuresSection, RefusalsSection } from "./codes-section";
import { LatencySection } from "./latency-section";
import { MessagesSection } from "./messages-section";
import { OverviewSection } from "./overview-section";
import { momentWords, spanWords } from "./point-words";
import { SendersSection } from "./senders-section";
import { Patterns } from "./states";
import styles from "./usage.module.css";
import {
  type PeriodInput,
  periodInput,
  RANGE_LABELS,
  spanOf,
  type Summary,
  type UsageFilter,
  useUsageFilter,
} from "./usage-filter";
import { WebhooksSection } from "./webhooks-section";

const REFRESH_MS = 30_000;

export function Usage() {
  const bar = useUsageFilter();
  const { filter } = bar;
  const { organization } = useViewer();
  const period = periodInput(filter, useNow());
  const input = { ...period, ...subjectOf(filter) };
  const query = useQuery(
    useTRPC().usage.summary.queryOptions(input, {
      placeholderData: keepPreviousData,
      refetchInterval: REFRESH_MS,
      enabled: period !== null,
    }),
  );
  return (
    <Page
      title="Usage"
      lead="Accepted messages and their delivery status, refused requests, and webhook attempts."
      actions={
        period === null ? null : <ExportButton list="usage" organizationId={organization.id} filter={input} />
      }
    >
      <FilterBar bar={bar} of={query.data} />
      {period === null ? (
        <Empty title="Choose a start before the end">The start must be in the past.</Empty>
      ) : (
        <QueryState query={query} rows={12}>
          {(summary) => (
            <div
              className={styles.report}
              aria-busy={query.isPlaceholderData}
              data-old={query.isPlaceholderData || undefined}
            >
              <Report of={summary} bar={bar} period={period} />
            </div>
          )}
        </QueryState>
      )}
    </Page>
  );
}

const subjectOf = ({ channel, key }: UsageFilter) => ({
  ...(channel === null ? {} : { channelId: channel }),
  ...(key === null || channel !== null ? {} : { keyId: key }),
});

type Bar = ReturnType<typeof useUsageFilter>;

const PERIODS = [
  ...Object.entries(RANGE_LABELS).map(([value, label]) => ({ value, label })),
  { value: "custom", label: "Custom" },
];

function FilterBar({ bar, of }: { bar: Bar; of: Summary | undefined }) {
  const { filter, setRange, setSpan, setChannel, setKey, clear, isFiltered } = bar;
  const channels = useChannelChoices();
  const keys = useKeyChoices() ?? keysSeen(of);
  const choose = (range: string) =>
    range === "custom" ? setSpan(of === undefined ? NO_SPAN : shownSpan(of), "push") : setRange(range);
  return (
    <search aria-label="Usage">
      <Group gap="xs">
        <SegmentedControl
          className={styles.periods}
          aria-label="Time"
          data={PERIODS}
          value={filter.range}
          onChange={choose}
        />
        {filter.range === "custom" ? <MomentsInput value={filter} onChange={setSpan} /> : null}
        <Choice label="Channel" data={channels} value={filter.channel} onChange={setChannel} />
        <Choice label="Key" data={keys} value={filter.key} onChange={setKey} />
        {isFiltered ? (
          <Button variant="subtle" color="gray" onClick={clear}>
            Clear
          </Button>
        ) : null}
      </Group>
    </search>
  );
}

const NO_SPAN = { since: null, until: null };

/** A span of one's own starts as the period that is shown, in whole minutes, as the fields have them. */
function shownSpan(of: Summary) {
  const { since, until } = spanOf(of);
  return { since: new Date(since), until: new Date(Math.ceil(Date.parse(until) / MINUTE_MS) * MINUTE_MS) };
}

/** For viewers who may not list keys: the keys that have sent something. */
function keysSeen(of: Summary | undefined) {
  return (of?.byKey ?? []).flatMap(({ keyId, name }) =>
    keyId === null ? [] : [{ value: keyId, label: name ?? keyId }],
  );
}

interface ReportOf {
  readonly of: Summary;
  readonly bar: Bar;
  readonly period: PeriodInput;
}

function Report({ of, bar: { filter, isFiltered, clear }, period }: ReportOf) {
  const maySeeWebhooks = useMay()("webhooks.manage");
  const { totals, previous } = of;
  const hasMessages = totals.accepted > 0;
  const isNothing = !hasMessages && !totals.refused;
  const wasSomething = previous.missing === null && previous.totals.accepted > 0;
  return (
    <>
      <AsOf of={of} />
      <Patterns />
      {isNothing ? <Nothing of={of} isFiltered={isFiltered} onClear={clear} /> : null}
      {isNothing && !wasSomething ? null : <OverviewSection of={of} />}
      {hasMessages ? (
        <>
          <MessagesSection of={of} filter={filter} />
          <FailuresSection of={of} filter={filter} />
          <LatencySection of={of} />
        </>
      ) : null}
      {isNothing ? null : <RefusalsSection of={of} filter={filter} />}
      {hasMessages ? <SendersSection of={of} filter={filter} /> : null}
      {maySeeWebhooks ? <WebhooksSection period={period} isFiltered={isFiltered} /> : null}
    </>
  );
}

const MINUTE_MS = 60_000;

/** Says which period the figures are of, and how recent they are. */
function AsOf({ of }: { of: Summary }) {
  const { asOf, statesAsOf, countedSince, keptSince, unit, zone, range } = of;
  const { since, until } = spanOf(of);
  const isBehind = Date.parse(asOf) - Date.parse(statesAsOf) > MINUTE_MS;
  return (
    <>
      <Text size="sm" c="dimmed">
        {until === asOf ? `Since ${momentWords(since)}` : spanWords(since, until)}. As of{" "}
        {exactTime(new Date(asOf))}.{" "}
        {isBehind ? (
          <>
            The delivery status of older messages was last updated <Time at={statesAsOf} />.{" "}
          </>
        ) : null}
        {range === null ? "Hours are counted as a whole. " : null}
        {keptSince === null ? null : "Counts are kept for 400 days. "}
        {unit === "day" ? `Days are in the time zone ${zone.replaceAll("_", " ")}.` : null}
      </Text>
      {countedSince === null ? null : (
        <Alert color="yellow" variant="light">
          Messages accepted before {exactTime(new Date(countedSince))} aren’t counted yet. They will be
          counted within the hour.
        </Alert>
      )}
    </>
  );
}

function Nothing({ of, isFiltered, onClear }: { of: Summary; isFiltered: boolean; onClear: () => void }) {
  const span = of.range === null ? "this period" : `the last ${RANGE_LABELS[of.range]}`;
  if (!isFiltered) {
    return (
      <Empty title={`No activity in ${span}`}>
        Messages are counted as soon as they are accepted. Choose a longer period or send a message.
      </Empty>
    );
  }
  return (
    <Empty title={`No matching messages in ${span}`}>
      <ClearFilters onClear={onClear}>Clear filter</ClearFilters>
    </Empty>
  );
}
