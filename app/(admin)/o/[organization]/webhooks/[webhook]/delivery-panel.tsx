"use client";

import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { count } from "@/app/ui/format";
import { QueryState } from "@/app/ui/query-state";
import type { Tone } from "@/app/ui/tag";
import { Time } from "@/app/ui/time";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { InlineLink } from "../../shared/inline-link";
import timeline from "../../shared/timeline.module.css";
import { HeaderFacts, Lines, Part, prettyOf } from "../parts";
import { StateTag } from "../tags";
import type { Attempt, EndpointDetail } from "../types";
import { DELIVERY_STATES, FAILURES, isRunning } from "../words";
import { Answer, outcomeInWords } from "./answer";
import { Due } from "./due";
import { Redeliver } from "./redeliver";

type DeliveryDetail = inferOutput<Procedures["webhooks"]["inspectDelivery"]>;

/** Used while the delivery is in progress, and also after its end, because others can send it again. */
const POLL_MS = 2_000;
const REST_MS = 10_000;

/** Shows one delivery: first its outcome, then its attempts and its payload. */
export function DeliveryPanel({ endpoint, deliveryId }: { endpoint: EndpointDetail; deliveryId: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.webhooks.inspectDelivery.queryOptions(
      { id: endpoint.id, delivery_id: deliveryId },
      { refetchInterval: ({ state: { data } }) => (data?.state === "pending" ? POLL_MS : REST_MS) },
    ),
  );
  return (
    <QueryState query={query}>
      {(delivery) => (
        <Stack gap="xl">
          <WhatHappened endpoint={endpoint} of={delivery} />
          {endpoint.url === null ? null : (
            <Part title="Attempts">
              <Attempts of={delivery.attempts} outOf={delivery.attempts_count} />
            </Part>
          )}
          <Body text={delivery.body ?? null} />
          <Headers of={delivery.headers ?? null} />
          <Part title="Delivery details">
            <Facts>
              <About of={delivery} />
              <Fact name="Created">
                <Time at={delivery.created_at} isExact />
              </Fact>
              <IdFact name="Event ID (webhook-id)" value={delivery.event_id} />
              <IdFact name="Delivery ID" value={delivery.id} />
              <IdFact name="Message ID" value={delivery.message_id} />
            </Facts>
          </Part>
        </Stack>
      )}
    </QueryState>
  );
}

function About({ of: { message_id: messageId, contact_id: contactId } }: { of: DeliveryDetail }) {
  if (messageId === null && contactId === null) return null;
  return (
    <Fact name="About">
      {messageId === null ? (
        <InlineLink to={`/contacts/${contactId}`}>this customer</InlineLink>
      ) : contactId === null ? (
        <InlineLink to={`/messages/${messageId}`}>this message</InlineLink>
      ) : (
        <>
          a message from <InlineLink to={`/contacts/${contactId}`}>this customer</InlineLink>
        </>
      )}
    </Fact>
  );
}

function WhatHappened({
  endpoint: { id, url, enabled },
  of: delivery,
}: {
  endpoint: EndpointDetail;
  of: DeliveryDetail;
}) {
  const { type, state, body, next_attempt_at: nextAt } = delivery;
  return (
    <Stack gap="sm" align="flex-start">
      <div aria-live="polite">
        <StateTag state={state} />
        <Text fz="lg" fw={600} mt={6}>
          {type}
        </Text>
      </div>
      <Text>{DELIVERY_STATES[state].meaning}</Text>
      {nextAt === null ? null : (
        <Text size="sm" c="dimmed">
          Next attempt: <Due at={nextAt} isExact />
        </Text>
      )}
      {url === null || body === null ? null : enabled ? (
        <Redeliver endpointId={id} of={delivery} />
      ) : (
        <Text size="sm" c="dimmed">
          To send it again, enable the endpoint first.
        </Text>
      )}
    </Stack>
  );
}

function Body({ text }: { text: string | null }) {
  if (text === null) {
    return (
      <Part title="Body">
        <Text>The body was erased together with the customer’s message.</Text>
      </Part>
    );
  }
  return (
    <Part title="Body">
      <Text size="sm">Formatted for reading. It is sent and signed as one line.</Text>
      <Lines text={prettyOf(text)} copied={text} copy="Copy original" />
    </Part>
  );
}

function Headers({ of: headers }: { of: NonNullable<DeliveryDetail["headers"]> | null }) {
  if (headers === null) return null;
  return (
    <Part title="Headers">
      <Text size="sm">
        The headers that an attempt would have now. Each attempt has a new timestamp and signature.
      </Text>
      <HeaderFacts of={Object.entries(headers)} />
    </Part>
  );
}

/**
 * Delivery attempts, latest first, because the latest says what to do. If there are very many, only the latest are
 * listed.
 */
function Attempts({ of: attempts, outOf: total }: { of: readonly Attempt[]; outOf: number }) {
  if (attempts.length === 0) return <Text>No attempts yet.</Text>;
  return (
    <>
      {total > attempts.length ? (
        <Text size="sm">
          Showing the latest {attempts.length} of {count.format(total)} attempts.
        </Text>
      ) : null}
      <ol className={timeline.timeline} reversed>
        {attempts.toReversed().map((attempt, place) => (
          <li key={attempt.number} data-tone={toneOf(attempt)}>
            <OneAttempt of={attempt} isLatest={place === 0} />
          </li>
        ))}
      </ol>
    </>
  );
}

function toneOf(attempt: Attempt): Tone {
  if (isRunning(attempt)) return "neutral";
  return attempt.error_class === null ? "good" : "bad";
}

function OneAttempt({ of: attempt, isLatest }: { of: Attempt; isLatest: boolean }) {
  const failure = attempt.error_class === null ? null : FAILURES[attempt.error_class];
  return (
    <Stack gap={2}>
      <Text fw={550}>
        Attempt {attempt.number}: {isRunning(attempt) ? "in progress" : outcomeInWords(attempt)}
      </Text>
      <Text c="dimmed" fz="0.8125rem">
        <Time at={attempt.started_at} isExact />
      </Text>
      {failure === null ? null : <Text size="sm">{failure.why}.</Text>}
      {failure !== null && isLatest ? <Text size="sm">{failure.remedy}</Text> : null}
      <Answer text={attempt.answer} />
    </Stack>
  );
}
