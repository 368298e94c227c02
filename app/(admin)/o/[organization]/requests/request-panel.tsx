"use client";

import { Anchor, Code, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { PageLink } from "@/app/ui/page-link";
import { QueryState } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { Words } from "@/app/ui/words";
import { InlineLink } from "../shared/inline-link";
import { useMay } from "../shared/viewer";
import { AcceptedMessage } from "./accepted-message";
import { type RefusedRequest, StatusTag } from "./refused-request";

/** Loaded with the first request that is opened: lists don't need it. */
const CopyAs = dynamic(() => import("./copy-as").then((module) => module.CopyAs));

/** Shows one refused request: first what the refusal means and what to do, then its facts. */
export function RequestPanel({ requestId }: { requestId: string }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.requests.get.queryOptions({ requestId }));
  return (
    <>
      {query.error && query.data === undefined ? <AcceptedMessage id={requestId} of="request id" /> : null}
      <QueryState query={query}>
        {(request) => (
          <Stack gap="xl">
            <Stack gap="xs" align="flex-start">
              <StatusTag status={request.status} />
              <Text fz="lg" fw={600}>
                <Words>{request.explanation?.message ?? request.code}</Words>
              </Text>
              {request.explanation === null ? null : <WhatToDo of={request.explanation} />}
              {request.clientMessageId === null ? null : (
                <AcceptedMessage id={request.clientMessageId} of="client_message_id" />
              )}
            </Stack>
            <CopyAs request={request} />
            <RequestFacts request={request} />
          </Stack>
        )}
      </QueryState>
    </>
  );
}

/** The staff's step comes first. The program's remedy is shown only if it differs. */
function WhatToDo({ of: { nextStep, remedy } }: { of: NonNullable<RefusedRequest["explanation"]> }) {
  return (
    <>
      <Text>
        <Words>{nextStep}</Words>
      </Text>
      {remedy === nextStep ? null : (
        <Text c="dimmed" size="sm">
          <Words>{`For the developer of the integration: ${remedy}`}</Words>
        </Text>
      )}
    </>
  );
}

function RequestFacts({ request }: { request: RefusedRequest }) {
  const { key, method, route, code, field, at, durationMs } = request;
  const may = useMay();
  return (
    <Facts>
      <Fact name="Request">
        <Code>{`${method} ${route}`}</Code>
      </Fact>
      <Fact name="Code">
        <Anchor inherit underline="always" component={PageLink} href={`/docs/errors#${code}`}>
          {code}
        </Anchor>
      </Fact>
      {field === null ? null : (
        <Fact name="Field">
          <Code>{field}</Code>
        </Fact>
      )}
      <Fact name="Key">
        {may("integrations.manage_api") ? (
          <InlineLink to={`/keys/${key.id}`}>{key.name}</InlineLink>
        ) : (
          key.name
        )}
        {key.prefix === null ? null : (
          <>
            {" "}
            <Code>
              {key.prefix}…{key.lastFour}
            </Code>
          </>
        )}
      </Fact>
      <Fact name="Time">
        <Time at={at} isExact />
      </Fact>
      <Fact name="Duration">{durationMs} ms</Fact>
      <IdFact name="Request ID" value={request.requestId} />
      <IdFact name="client_message_id" value={request.clientMessageId} />
    </Facts>
  );
}
