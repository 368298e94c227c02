"use client";

import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { ActionButton } from "@/app/ui/action-button";
import { upperFirst } from "@/app/ui/format";
import { Time } from "@/app/ui/time";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { InlineLink } from "../../shared/inline-link";
import { useChanged } from "../../shared/use-changed";
import { nameOf } from "../names";
import type { EndpointDetail } from "../types";
import { DISABLED, FAILURES } from "../words";
import { Due } from "./due";
import { areSkipped, eventsInWords, manyInWords } from "./how-many";

/** Says which action the endpoint's state needs. */
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
          Disabled <Time at={disabledAt} />. New events are kept as skipped for up to 30 days
          {areSkipped(endpoint) ? `: ${manyInWords(skipped)} so far` : ""}.
          {url === null ? null : " You can send them when the endpoint is enabled."}
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
  const changed = useChanged("webhooks");
  const act = useAction(
    async () => {
      await client.webhooks.set.mutate({ id: endpoint.id, enabled: true });
      await changed();
    },
    `${nameOf(endpoint)} was enabled.`,
  );
  return (
    <Group>
      <ActionButton act={act} size="xs" variant="default">
        Enable endpoint
      </ActionButton>
    </Group>
  );
}

function Failing({ of: endpoint }: { of: EndpointDetail }) {
  const { failing_since: since, disabling_at: disablingAt, backoff_until: backoffUntil, waiting } = endpoint;
  if (since === null || disablingAt === null) return null;
  return (
    <Alert color="red" variant="light" title="All deliveries are failing">
      <Stack gap="xs">
        <Text size="sm">
          An attempt failed <Time at={since} />. Every attempt since then has failed too.
        </Text>
        <LatestFailure of={endpoint} />
        <Text size="sm">
          {waiting.count === 0 ? null : `${upperFirst(eventsInWords(waiting))} waiting. `}
          {backoffUntil === null ? null : (
            <>
              The next attempt is due <Due at={backoffUntil} />. A test is sent immediately.{" "}
            </>
          )}
          If attempts keep failing, the endpoint is disabled <Time at={disablingAt} />.
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
        Latest failure{" "}
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
      title={`${upperFirst(eventsInWords(skipped))} skipped while the endpoint was disabled`}
    >
      <Stack gap="xs">
        <Text size="sm">These events were not sent to your program. They are kept for up to 30 days.</Text>
        <Group>
          <Button size="xs" variant="default" onClick={onReplay}>
            Send skipped events
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}

function Rotating({ of: { former_secret_ends_at: endsAt } }: { of: EndpointDetail }) {
  if (endsAt === null) return null;
  return (
    <Alert color="blue" variant="light" title="New signing secret">
      <Text size="sm">
        Events are also signed with the previous secret until <Time at={endsAt} isExact />. Give your program
        the new secret before then.
      </Text>
    </Alert>
  );
}
