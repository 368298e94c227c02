"use client";

import { Alert, Stack, Text } from "@mantine/core";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { useState } from "react";
import { Fault } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { type Procedures, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { InlineLink } from "../../shared/inline-link";
import { useChanged } from "../../shared/use-changed";
import { FAILURES } from "../words";
import { Answer, outcomeInWords } from "./answer";

/** The result of a test. */
export function TestResult({
  of: { act, result, forget },
  endpointId,
}: {
  of: ReturnType<typeof useEndpointTest>;
  endpointId: string;
}) {
  return (
    <>
      <Fault of={act.faultBeside()} />
      {act.isBusy ? (
        <Text size="sm" c="dimmed">
          Sending the test. Waiting up to 15 seconds for a response.
        </Text>
      ) : null}
      {result === null ? null : <Result of={result} endpointId={endpointId} onClose={forget} />}
    </>
  );
}

const TITLES = {
  delivered: { color: "green", title: "The test was accepted" },
  failed: { color: "red", title: "The test failed" },
  available: { color: "gray", title: "The test is ready to be fetched" },
} as const satisfies Record<EndpointTest["state"], { color: string; title: string }>;

function Result({
  of: test,
  endpointId,
  onClose,
}: {
  of: EndpointTest;
  endpointId: string;
  onClose: () => void;
}) {
  const { color, title } = TITLES[test.state];
  const failure = test.error_class === null ? null : FAILURES[test.error_class];
  return (
    <Alert
      color={color}
      variant="light"
      title={title}
      withCloseButton
      closeButtonLabel="Close test result"
      onClose={onClose}
    >
      <Stack gap="xs">
        {failure === null ? null : (
          <Text size="sm">
            {failure.why}. {failure.remedy}
          </Text>
        )}
        <Text size="sm">
          {test.state === "available" ? (
            "Your program gets it the next time it fetches events. "
          ) : (
            <>
              {outcomeInWords(test)}, <Time at={new Date(test.endedAt)} />.{" "}
            </>
          )}
          <InlineLink to={`/webhooks/${endpointId}/deliveries/${test.delivery_id}`} scroll={false}>
            View delivery
          </InlineLink>
        </Text>
        <Answer text={test.answer} />
      </Stack>
    </Alert>
  );
}

interface EndpointTest extends inferOutput<Procedures["webhooks"]["test"]> {
  /** Milliseconds since 1970. */
  readonly endedAt: number;
}

/** Sends an endpoint a test when the button is pressed, and keeps the result until the next test. */
export function useEndpointTest(id: string) {
  const client = useTRPCClient();
  const changed = useChanged("webhooks");
  const [result, setResult] = useState<EndpointTest | null>(null);
  const act = useAction(async () => {
    setResult(null);
    const answered = await client.webhooks.test.mutate({ id });
    setResult({ ...answered, endedAt: Date.now() });
    await changed();
  });
  return { act, result, forget: () => setResult(null) };
}
