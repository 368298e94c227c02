import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "@/app/ui/trpc";
import type { RefusedRequest, RequestPage } from "../requests/refused-request";
import { useMay } from "../shared/viewer";
import type { SearchInput } from "./message-filter";
import type { MessageRow } from "../shared/message-state";

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
