import { Anchor, Text } from "@mantine/core";
import { type Column, Cut, Line, Whole, WholeTime } from "@/app/ui/data-table";
import { PageLink } from "@/app/ui/page-link";
import { InlineLink } from "../../shared/inline-link";
import { useListPath } from "../../shared/viewer";
import { StateTag } from "../tags";
import type { Delivery, EndpointDetail } from "../types";
import { FAILURES, isRunning } from "../words";
import { Due } from "./due";
import { Redeliver } from "./redeliver";

export function deliveryColumns(endpoint: EndpointDetail): Column<Delivery>[] {
  const isPushed = endpoint.url !== null;
  return [
    { head: "Event", cell: (delivery) => <What endpointId={endpoint.id} of={delivery} /> },
    { head: "State", share: 30, cell: (delivery) => <State of={delivery} /> },
    { head: "About", cell: (delivery) => <About of={delivery} /> },
    ...(isPushed ? attemptColumns() : []),
    { head: "Created", cell: ({ created_at: at }) => <WholeTime at={at} /> },
    ...(isPushed && endpoint.enabled ? [redeliverColumn(endpoint.id)] : []),
  ];
}

function attemptColumns(): Column<Delivery>[] {
  return [
    { head: "Attempts", isNumber: true, cell: ({ attempts }) => attempts.length },
    {
      head: "Next attempt",
      cell: (delivery) => (
        <Whole>
          <Next of={delivery} />
        </Whole>
      ),
    },
  ];
}

function redeliverColumn(endpointId: string): Column<Delivery> {
  return {
    head: "Redeliver",
    isQuiet: true,
    cell: (delivery) => <Redeliver endpointId={endpointId} of={delivery} size="compact-sm" />,
  };
}

function What({ endpointId, of: { id, type } }: { endpointId: string; of: Delivery }) {
  const path = useListPath();
  return (
    <Anchor
      inherit
      component={PageLink}
      href={path(`/webhooks/${endpointId}/deliveries/${id}`)}
      scroll={false}
    >
      <Whole>{type}</Whole>
    </Anchor>
  );
}

function State({ of: { state, attempts } }: { of: Delivery }) {
  const failure = state === "delivered" ? null : lastFailure(attempts);
  return (
    <Line>
      <StateTag state={state} />
      {failure === null ? null : <Cut isDimmed>{failure}</Cut>}
    </Line>
  );
}

/** Returns why the last completed attempt failed. */
function lastFailure(attempts: Delivery["attempts"]): string | null {
  const ended = attempts.findLast((attempt) => !isRunning(attempt));
  if (ended === undefined || ended.error_class === null) return null;
  const { why } = FAILURES[ended.error_class];
  return ended.error_class === "status" ? `HTTP ${ended.http_status}` : why;
}

function Next({ of: { state, attempts, next_attempt_at: nextAt } }: { of: Delivery }) {
  const last = attempts.at(-1);
  if (state === "pending" && last !== undefined && isRunning(last)) return "in progress";
  return nextAt === null ? "–" : <Due at={nextAt} />;
}

/**
 * Shows the end of the id, because the start is almost the same for all ids of one hour. Inbound messages have no page
 * of their own.
 */
function About({ of: { type, message_id: id, contact_id: contactId } }: { of: Delivery }) {
  if (contactId !== null) return <InlineLink to={`/contacts/${contactId}`}>contact</InlineLink>;
  if (id === null) return "–";
  if (type === "message.received") return <Whole>from a customer</Whole>;
  return (
    <Text span ff="monospace" fz="0.8125rem" style={{ whiteSpace: "nowrap" }}>
      <InlineLink to={`/messages/${id}`}>…{id.slice(-8)}</InlineLink>
    </Text>
  );
}
