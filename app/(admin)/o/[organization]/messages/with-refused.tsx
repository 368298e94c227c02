import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useQueryState } from "nuqs";
import { type Column, Whole, WholeTime } from "@/app/ui/data-table";
import { Tag } from "@/app/ui/tag";
import { useTRPC } from "@/app/ui/trpc";
import type { RefusedRequest, RequestPage } from "../requests/refused-request";
import type { MessageRow } from "../shared/message-state";
import { useMay, usePath } from "../shared/viewer";
import { COLUMNS, LinkAndId, TagAndReason } from "./columns";
import type { SearchInput } from "./message-filter";

const POLL_MS = 5_000;
/** A refused request has no state, channel or failure code, so these filters ask for messages only. */
const OF_MESSAGES_ONLY = ["state", "channelId", "errorCode"] as const satisfies (keyof SearchInput)[];
const LIMIT = "100";
const ONE = "1";

interface RefusedBetween {
  readonly refused: readonly RefusedRequest[];
  readonly isCut: boolean;
  /** Refused requests of any recipient that were counted but not stored, in the hours that the page covers. */
  readonly omitted: RequestPage["omitted"];
}

/** Refused requests for the person in the search, within the time that a page of messages covers. */
export function useRefusedBetween({
  input,
  rows,
  next,
  isFirst,
}: {
  input: SearchInput;
  /** The page's messages, newest first. */
  rows: readonly MessageRow[];
  /** The cursor of the next page; null on the last page. */
  next: string | null;
  /** True for the newest page. */
  isFirst: boolean;
}): RefusedBetween {
  const trpc = useTRPC();
  const mayRead = useMay()("requests.read");
  const { q: recipient = "", keyId, since, until } = input;
  const isAsked = mayRead && recipient !== "" && !OF_MESSAGES_ONLY.some((name) => input[name] !== undefined);
  // A refusal dated between two pages is shown on the newer page, which extends to the first message of the next one.
  const nextPage = useQuery(
    trpc.messages.search.queryOptions(
      { ...input, limit: ONE, cursor: next ?? "" },
      { enabled: isAsked && next !== null },
    ),
  ).data;
  const nextAt = nextPage?.data[0]?.createdAt;
  const from = next === null ? since : nextAt === undefined ? undefined : new Date(nextAt).toISOString();
  const newest = rows[0]?.createdAt;
  const end = isFirst || newest === undefined ? until : new Date(newest).toISOString();
  const page = useQuery(
    trpc.requests.list.queryOptions(
      {
        recipient,
        limit: LIMIT,
        ...(keyId === undefined ? {} : { keyId }),
        ...(from === undefined ? {} : { since: from }),
        ...(end === undefined ? {} : { until: end }),
      },
      {
        enabled: isAsked && (next === null || nextPage !== undefined),
        refetchInterval: isFirst ? POLL_MS : false,
      },
    ),
  ).data;
  if (!isAsked || page === undefined) return { refused: [], isCut: false, omitted: [] };
  return { refused: page.data, isCut: page.next_cursor !== null, omitted: page.omitted };
}

/** A message, or a request that was refused instead of becoming one. */
type ListedRow =
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
  Accepted: ({ at }) => <WholeTime at={at} />,
};

export const LISTED_COLUMNS: Column<ListedRow>[] = COLUMNS.map(({ head, share, cell }) => ({
  head,
  ...(share === undefined ? {} : { share }),
  cell: (row) => (row.kind === "message" ? cell(row.message) : CELLS[head]?.(row.request)),
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
