import { Anchor, Text } from "@mantine/core";
import { type Column, DataTable } from "@/app/ui/data-table";
import { count, share } from "@/app/ui/format";
import { PageLink } from "@/app/ui/page-link";
import { Section } from "@/app/ui/section";
import { usePath } from "../shared/viewer";
import { ShareBar } from "./share-bar";
import { periodQuery, type Summary, type UsageFilter } from "./usage-filter";

interface Row extends Pick<Summary["totals"], "accepted" | "delivered" | "read" | "failed"> {
  readonly id: string | null;
  readonly name: string;
  /** The URL of this page filtered by that sender; null if it can't be filtered. */
  readonly narrowed: string | null;
  readonly most: number;
}

/** Counts by channel and by key. */
export function SendersSection({ of: { byChannel, byKey }, filter }: { of: Summary; filter: UsageFilter }) {
  const narrowed = (by: "channel" | "key", id: string) => {
    const query = periodQuery(filter);
    query.set(by, id);
    return `/usage?${query}`;
  };
  const channels = byChannel.map(({ channelId: id, name, ...counts }) => ({
    ...counts,
    id,
    name: name ?? id,
    narrowed: narrowed("channel", id),
  }));
  const keys = byKey.map(({ keyId: id, name, ...counts }) => ({
    ...counts,
    id,
    name: id === null ? "Members and Waypost" : (name ?? id),
    narrowed: id === null ? null : narrowed("key", id),
  }));
  return (
    <>
      <Section title="By channel">
        <Table caption="Messages by channel" head="Channel" rows={channels} />
      </Section>
      <Section title="By API key">
        <Table caption="Messages by API key" head="Key" rows={keys} />
      </Section>
    </>
  );
}

function Table({
  caption,
  head,
  rows,
}: {
  caption: string;
  head: string;
  rows: readonly Omit<Row, "most">[];
}) {
  const most = Math.max(0, ...rows.map(({ accepted }) => accepted));
  return (
    <DataTable
      caption={caption}
      columns={[{ head, cell: nameCell }, ...COLUMNS]}
      rows={rows.map((row) => ({ ...row, most }))}
      rowKey={({ id }) => id ?? "none"}
    />
  );
}

const nameCell = (row: Row) => <Name of={row} />;

function Name({ of: { name, narrowed } }: { of: Row }) {
  const path = usePath();
  if (narrowed === null) return name;
  return (
    <Anchor component={PageLink} href={path(narrowed)} inherit>
      {name}
    </Anchor>
  );
}

const COLUMNS: Column<Row>[] = [
  { head: "Accepted", cell: ({ accepted, most }) => <ShareBar of={accepted} most={most} /> },
  {
    head: "Delivered or read",
    cell: ({ delivered, read, accepted }) => <Part of={delivered + read} all={accepted} />,
    isNumber: true,
  },
  { head: "Failed", cell: ({ failed, accepted }) => <Part of={failed} all={accepted} />, isNumber: true },
];

function Part({ of, all }: { of: number; all: number }) {
  return (
    <>
      {count.format(of)}{" "}
      <Text span c="dimmed" fz="0.8125rem">
        {share(of, all)}
      </Text>
    </>
  );
}
