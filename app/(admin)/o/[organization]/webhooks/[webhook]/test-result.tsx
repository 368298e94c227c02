"use client";

import { Alert, Stack, Text } from "@mantine/core";
import { Fault } from "@/app/ui/fault";
import { Time } from "@/app/ui/time";
import { InlineLink } from "../../shared/inline-link";
import { FAILURES } from "../words";
import { Answer } from "./answer";
import { outcomeInWords } from "./outcome";
import type { EndpointTest, useEndpointTest } from "./use-endpoint-test";

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
