"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { ActionButton } from "@/app/ui/action-button";
import { upperFirst } from "@/app/ui/format";
import { Time } from "@/app/ui/time";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { InlineLink } from "../../shared/inline-link";
import { nameOf } from "../names";
import type { EndpointDetail } from "../types";
import { useWebhooksChanged } from "../use-webhooks-changed";
import { DISABLED, FAILURES } from "../words";
import { Due } from "./due";
import { areSkipped, eventsInWords, manyInWords } from "./how-many";

/** What of the endpoint's state wants doing. */
export function EndpointNotices({ of: endpoint, onReplay }: { of: EndpointDetail; onReplay: () => void }) {
  return (
    <>
      <Disabled of={endpoint} />
      <Failing of={endpoint} />
      <Skipped of={endpoint} onReplay={onReplay} />
      <Rotating of={endpoint} />
    </>
  );
}

function Disabled({ of: endpoint }: { of: EndpointDetail }) {
  const { url, disabled_at: disabledAt, disabled_reason: reason, skipped } = endpoint;
  if (disabledAt === null || reason === null) return null;
  const { tone, title, remedy } = DISABLED[reason];
  return (
    <Alert color={tone === "bad" ? "red" : "gray"} variant="light" title={title}>
      <Stack gap="xs">
        <Text size="sm">
          Disabled <Time at={disabledAt} />. What happens meanwhile is kept as skipped, for 30 days at most
          {areSkipped(endpoint) ? `: ${manyInWords(skipped)} so far` : ""}.
          {url === null ? null : " Once it is enabled, that can be sent after all."}
        </Text>
        {reason === "failing" ? <LatestFailure of={endpoint} /> : null}
        {remedy === null ? null : <Text size="sm">{remedy}</Text>}
        <Enable of={endpoint} />
      </Stack>
    </Alert>
  );
}

function Enable({ of: endpoint }: { of: EndpointDetail }) {
  const client = useTRPCClient();
  const changed = useWebhooksChanged();
  const act = useAction(
    async () => {
      await client.webhooks.set.mutate({ id: endpoint.id, enabled: true });
      await changed();
    },
    `${nameOf(endpoint)} is enabled.`,
  );
  return (
    <Group>
      <ActionButton act={act} size="xs" variant="default">
        Enable it
      </ActionButton>
    </Group>
  );
}

function Failing({ of: endpoint }: { of: EndpointDetail }) {
  const { failing_since: since, disabling_at: disablingAt, backoff_until: backoffUntil, waiting } = endpoint;
  if (since === null || disablingAt === null) return null;
  return (
    <Alert color="red" variant="light" title="Nothing gets through">
      <Stack gap="xs">
        <Text size="sm">
          A call failed <Time at={since} />, and so has every one since.
        </Text>
        <LatestFailure of={endpoint} />
        <Text size="sm">
          {waiting.count === 0 ? null : `${upperFirst(eventsInWords(waiting))} waiting. `}
          {backoffUntil === null ? null : (
            <>
              The next call comes <Due at={backoffUntil} />; a test goes out at once.{" "}
            </>
          )}
          If it goes on like this, the endpoint is disabled <Time at={disablingAt} />.
        </Text>
      </Stack>
    </Alert>
  );
}

function LatestFailure({ of: { id, latest_failure: failure } }: { of: EndpointDetail }) {
  if (failure === null) return null;
  const { why, remedy } = FAILURES[failure.error_class];
  const status = failure.http_status === null ? "" : ` (HTTP ${failure.http_status})`;
  return (
    <Text size="sm">
      <InlineLink to={`/webhooks/${id}/deliveries/${failure.delivery_id}`} scroll={false}>
        The last time
      </InlineLink>
      , <Time at={failure.started_at} />: {why}
      {why.includes("HTTP") ? "" : status}. {remedy}
    </Text>
  );
}

function Skipped({ of: endpoint, onReplay }: { of: EndpointDetail; onReplay: () => void }) {
  const { url, enabled, skipped } = endpoint;
  if (url === null || !enabled || !areSkipped(endpoint)) return null;
  return (
    <Alert
      color="gray"
      variant="light"
      title={`${upperFirst(eventsInWords(skipped))} skipped while it was disabled`}
    >
      <Stack gap="xs">
        <Text size="sm">Your program wasn’t told of these. They are kept for 30 days at most.</Text>
        <Group>
          <Button size="xs" variant="default" onClick={onReplay}>
            Send them after all
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Rotating({ of: { former_secret_ends_at: endsAt } }: { of: EndpointDetail }) {
  if (endsAt === null) return null;
  return (
    <Alert color="blue" variant="light" title="It has a new secret">
      <Text size="sm">
        Events are signed with the former secret as well; that ends <Time at={endsAt} isExact />. Give your
        program the new one by then.
      </Text>
    </Alert>
  );
}
