"use client";

import { Alert, Button, Group, SegmentedControl, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Choice } from "@/app/ui/choice";
import { ClearFilters } from "@/app/ui/filters";
import { Page } from "@/app/ui/admin-page";
import { Empty, QueryState } from "@/app/ui/query-state";
import { exactTime, Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { useChannelChoices, useKeyChoices } from "../shared/use-choices";
import { FailuresSection, RefusalsSection } from "./codes-section";
import { LatencySection } from "./latency-section";
import { MessagesSection } from "./messages-section";
import { Patterns } from "./states";
import { SendersSection } from "./senders-section";
import styles from "./usage.module.css";
import { ownZone, RANGE_LABELS, type Summary, type UsageFilter, useUsageFilter } from "./usage-filter";

const REFRESH_MS = 30_000;

export function Usage() {
  const bar = useUsageFilter();
  const { range, channel, key } = bar.filter;
  const query = useQuery(
    useTRPC().usage.summary.queryOptions(
      {
        range,
        zone: ownZone(),
        ...(channel === null ? {} : { channelId: channel }),
        ...(key === null || channel !== null ? {} : { keyId: key }),
      },
      { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
    ),
  );
  return (
    <Page title="Usage" lead="Accepted messages, their delivery status, and refused requests.">
      <FilterBar bar={bar} of={query.data} />
      <QueryState query={query} rows={12}>
        {(summary) => (
          <div
            className={styles.report}
            aria-busy={query.isPlaceholderData}
            data-old={query.isPlaceholderData || undefined}
          >
            <Report of={summary} filter={bar.filter} isFiltered={bar.isFiltered} onClear={bar.clear} />
          </div>
        )}
      </QueryState>
    </Page>
  );
}

function FilterBar({ bar, of }: { bar: ReturnType<typeof useUsageFilter>; of: Summary | undefined }) {
  const { filter, setRange, setChannel, setKey, clear, isFiltered } = bar;
  const channels = useChannelChoices();
  const keys = useKeyChoices() ?? keysSeen(of);
  return (
    <search aria-label="Usage">
      <Group gap="xs">
        <SegmentedControl
          aria-label="Time"
          data={Object.entries(RANGE_LABELS).map(([value, label]) => ({ value, label }))}
          value={filter.range}
          onChange={setRange}
        />
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

/** For viewers who may not list keys: the keys that have sent something. */
function keysSeen(of: Summary | undefined) {
  return (of?.byKey ?? []).flatMap(({ keyId, name }) =>
    keyId === null ? [] : [{ value: keyId, label: name ?? keyId }],
  );
}

interface ReportOf {
  readonly of: Summary;
  readonly filter: UsageFilter;
  readonly isFiltered: boolean;
  readonly onClear: () => void;
}

function Report({ of, filter, isFiltered, onClear }: ReportOf) {
  const isNothing = of.totals.accepted === 0 && (of.totals.refused ?? 0) === 0;
  return (
    <>
      <AsOf of={of} />
      <Patterns />
      {isNothing ? (
        <Nothing of={of} isFiltered={isFiltered} onClear={onClear} />
      ) : (
        <>
          {of.totals.accepted === 0 ? null : (
            <>
              <MessagesSection of={of} filter={filter} />
              <FailuresSection of={of} filter={filter} />
              <LatencySection of={of} />
            </>
          )}
          <RefusalsSection of={of} filter={filter} />
          {of.totals.accepted === 0 ? null : <SendersSection of={of} />}
        </>
      )}
    </>
  );
}

const MINUTE_MS = 60_000;

/** Says how recent the figures are. */
function AsOf({ of: { asOf, statesAsOf, countedSince, unit, zone } }: { of: Summary }) {
  const isBehind = Date.parse(asOf) - Date.parse(statesAsOf) > MINUTE_MS;
  return (
    <>
      <Text size="sm" c="dimmed">
        As of {exactTime(new Date(asOf))}.{" "}
        {isBehind ? (
          <>
            The delivery status of older messages was last updated <Time at={statesAsOf} />.{" "}
          </>
        ) : null}
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
  const span = `the last ${RANGE_LABELS[of.range]}`;
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
