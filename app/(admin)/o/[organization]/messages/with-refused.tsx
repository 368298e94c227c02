import { Text } from "@mantine/core";
import { useQueryState } from "nuqs";
import { type Column, Whole } from "@/app/ui/data-table";
import { Tag } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import type { RefusedRequest } from "../requests/refused-request";
import { usePath } from "../shared/viewer";
import { COLUMNS, LinkAndId, TagAndReason } from "./columns";
import type { MessageRow } from "../shared/message-state";

/** A message, or a request that was refused instead of becoming one. */
export type ListedRow =
  | { readonly kind: "message"; readonly id: string; readonly at: Date; readonly message: MessageRow }
  | { readonly kind: "refused"; readonly id: string; readonly at: Date; readonly request: RefusedRequest };

/** Merges both lists into one order, newest first. */
export function inOneOrder(
  messages: readonly MessageRow[],
  refused: readonly RefusedRequest[],
): readonly ListedRow[] {
  const rows: ListedRow[] = [
    ...messages.map((message) => ({
      kind: "message" as const,
      id: message.id,
      at: new Date(message.createdAt),
      message,
    })),
    ...refused.map((request) => ({
      kind: "refused" as const,
      id: request.requestId,
      at: new Date(request.at),
      request,
    })),
  ];
  // Messages keep their order.
  if (refused.length === 0) return rows;
  return rows.toSorted((one, other) => other.at.getTime() - one.at.getTime());
}

/** The cells of a refused request, by column heading. */
const CELLS: Readonly<Record<string, Column<RefusedRequest>["cell"]>> = {
  Message: (request) => <What of={request} />,
  State: ({ explanation }) => (
    <TagAndReason reason={explanation?.message ?? null}>
      <Tag tone="bad">refused</Tag>
    </TagAndReason>
  ),
  To: () => (
    <Text span c="dimmed" fz="0.8125rem">
      <Whole>this customer</Whole>
    </Text>
  ),
  Channel: () => (
    <Text span c="dimmed" fz="0.8125rem">
      none
    </Text>
  ),
  "Sent by": ({ key }) => <Whole>{key.name}</Whole>,
  Accepted: ({ at }) => (
    <Whole>
      <Time at={at} />
    </Whole>
  ),
};

export const LISTED_COLUMNS: Column<ListedRow>[] = COLUMNS.map((column) => ({
  ...column,
  cell: (row) => (row.kind === "message" ? column.cell(row.message) : CELLS[column.head]?.(row.request)),
}));

function What({ of: { requestId, code, clientMessageId } }: { of: RefusedRequest }) {
  const path = usePath();
  const [q] = useQueryState("q");
  const search = q === null ? "" : `?${new URLSearchParams({ to: q }).toString()}`;
  return (
    <LinkAndId clientMessageId={clientMessageId} href={path(`/requests/${requestId}${search}`)}>
      {code}
    </LinkAndId>
  );
}
