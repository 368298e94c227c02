"use client";

import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { type Column, DataTable } from "@/app/ui/data-table";
import { PageLink } from "@/app/ui/page-link";
import { QueryState } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { InlineLink } from "../shared/inline-link";
import { useMay, usePath } from "../shared/viewer";
import { StateTag } from "../webhooks/tags";
import { nameOf } from "../webhooks/names";
import { FAILURES } from "../webhooks/words";

type Webhook = inferOutput<Procedures["webhooks"]["deliveriesOfMessage"]>["data"][number];

const POLL_MS = 3_000;

const COLUMNS: Column<Webhook>[] = [
  { head: "Event", cell: (webhook) => <Event of={webhook} /> },
  {
    head: "Endpoint",
    cell: ({ endpoint }) => <InlineLink to={`/webhooks/${endpoint.id}`}>{nameOf(endpoint)}</InlineLink>,
  },
  { head: "State", cell: (webhook) => <State of={webhook} /> },
];

/** For viewers who may not see the endpoints' pages. */
const READ_ONLY_COLUMNS: Column<Webhook>[] = [
  { head: "Event", cell: ({ type }) => type },
  { head: "Endpoint", cell: ({ endpoint }) => nameOf(endpoint) },
  { head: "State", cell: (webhook) => <State of={webhook} /> },
];

function Event({ of: { id, type, endpoint } }: { of: Webhook }) {
  const path = usePath();
  return (
    <Anchor inherit component={PageLink} href={path(`/webhooks/${endpoint.id}/deliveries/${id}`)}>
      {type}
    </Anchor>
  );
}

function State({ of: { state, error_class: failure, next_attempt_at: nextAt } }: { of: Webhook }) {
  return (
    <Stack gap={2} align="flex-start">
      <StateTag state={state} />
      {failure === null || state === "delivered" ? null : (
        <Text span c="dimmed" fz="0.8125rem">
          {FAILURES[failure].why}
        </Text>
      )}
      {nextAt === null ? null : (
        <Text span c="dimmed" fz="0.8125rem">
          Next attempt: <Time at={nextAt} />
        </Text>
      )}
    </Stack>
  );
}

/** The webhooks that were sent to endpoints about a message. */
export function MessageWebhooks({ messageId, isQueued }: { messageId: string; isQueued: boolean }) {
  const trpc = useTRPC();
  const mayManage = useMay()("webhooks.manage");
  const query = useQuery(
    trpc.webhooks.deliveriesOfMessage.queryOptions({ message_id: messageId }, { refetchInterval: POLL_MS }),
  );
  return (
    <QueryState query={query} rows={2}>
      {({ data, has_endpoints: hasEndpoints }) =>
        data.length === 0 ? (
          <Text>
            {isQueued ? "No events yet. The first event is sent when the state changes." : null}
            {isQueued && hasEndpoints ? null : (
              <>
                {" "}
                No {mayManage ? (
                  <InlineLink to="/webhooks">webhook endpoint</InlineLink>
                ) : (
                  "webhook endpoint"
                )}{" "}
                {isQueued ? "is set up to receive it." : "existed when the state changed."}
              </>
            )}
          </Text>
        ) : (
          <DataTable
            caption="Webhook deliveries, in the order of events"
            columns={mayManage ? COLUMNS : READ_ONLY_COLUMNS}
            rows={data}
            rowKey={({ id }) => id}
          />
        )
      }
    </QueryState>
  );
}
