"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { type Column, DataTable, Whole } from "@/app/ui/data-table";
import { MoreButton } from "@/app/ui/more-button";
import { QueryState } from "@/app/ui/query-state";
import { Section } from "@/app/ui/section";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { type Act, Changes } from "./changes";

const COLUMNS: Column<Act>[] = [
  { head: "Action", cell: (act) => <What of={act} /> },
  { head: "Changes", cell: (act) => <Changes of={act} /> },
  { head: "Time", cell: ({ at }) => <Time at={at} isExact /> },
  { head: "IP address", cell: ({ address }) => <Whole>{address ?? "–"}</Whole> },
];

function What({ of: { actor, words } }: { of: Act }) {
  return (
    <>
      <strong>{nameOf(actor)}</strong> {words}
    </>
  );
}

function nameOf({ kind, name, id }: Act["actor"]): string {
  return kind === "system" ? `Waypost (${id})` : (name ?? id);
}

const PAGE_SIZE = "20";

const NOUNS = { key: "key", channel: "channel", webhook: "endpoint" } as const;

/** Who did what with one subject, newest first. For the subject's own page. */
export function AuditTrail({
  subjectKind,
  subjectId,
}: {
  subjectKind: keyof typeof NOUNS;
  subjectId: string;
}) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(
      { subjectKind, subjectId, limit: PAGE_SIZE },
      { getNextPageParam: ({ next_cursor: next }) => next },
    ),
  );
  return (
    <Section title="History">
      <QueryState query={query} rows={2}>
        {({ pages }) => (
          <>
            <DataTable
              caption={`History of the ${NOUNS[subjectKind]}, newest first`}
              columns={COLUMNS}
              rows={pages.flatMap(({ data }) => data)}
              rowKey={({ id }) => id}
            />
            <MoreButton query={query} label="Show older" />
          </>
        )}
      </QueryState>
    </Section>
  );
}
