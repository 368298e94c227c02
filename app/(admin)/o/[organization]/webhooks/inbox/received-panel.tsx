"use client";

import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { QueryState } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { HeaderFacts, Lines, Part, prettyOf } from "../parts";
import { AboutLink, signatureMeaning, SignatureTag } from "./received-parts";

type Received = inferOutput<Procedures["inbox"]["get"]>;

/** Shows one webhook: first whether it is valid, then the request as received, and how a program verifies it. */
export function ReceivedPanel({ receivedId }: { receivedId: string }) {
  const query = useQuery(useTRPC().inbox.get.queryOptions({ receivedId }));
  return (
    <QueryState query={query}>
      {(received) => (
        <Stack gap="xl">
          <SignatureResult of={received} />
          <Part title="Headers">
            <HeaderFacts of={received.headers.map(({ name, value }) => [name, value])} />
          </Part>
          <Body of={received} />
          <Part title="Verify it in your program">
            <Text size="sm">
              Use the signing secret of your endpoint, which is shown when you create the endpoint. Verify the
              raw body, before your program parses it:
            </Text>
            <Lines text={VERIFY} copy="Copy code" />
            <Anchor inherit underline="always" href="/docs/webhooks/verifying" target="_blank">
              Examples in TypeScript, Python and shell, with and without a package
            </Anchor>
          </Part>
        </Stack>
      )}
    </QueryState>
  );
}

function SignatureResult({ of: { type, fault, about, receivedAt } }: { of: Received }) {
  return (
    <Stack gap="xs" align="flex-start">
      <SignatureTag fault={fault} />
      <Text fz="lg" fw={600}>
        {type ?? "Not a Waypost event"}
      </Text>
      <Text>{signatureMeaning(fault)}</Text>
      <Text size="sm" c="dimmed">
        Received <Time at={receivedAt} isExact />.
      </Text>
      {about === null ? null : (
        <Text size="sm">
          About: <AboutLink about={about} type={type} />.
        </Text>
      )}
    </Stack>
  );
}

function Body({ of: { body, isBodyWhole } }: { of: Received }) {
  const pretty = prettyOf(body);
  return (
    <Part title="Body">
      {pretty === body ? null : (
        <Text size="sm">Formatted for reading. The signature covers the original bytes, in one line.</Text>
      )}
      {isBodyWhole ? null : (
        <Text size="sm">Only the beginning of the body is stored, so its signature can’t be trusted.</Text>
      )}
      <Lines text={pretty} copied={body} copy="Copy original" />
    </Part>
  );
}

const VERIFY = `import { Webhook } from "standardwebhooks";

// Throws unless this secret signed this body, within five minutes of now.
const event = new Webhook(process.env.WEBHOOK_SECRET).verify(rawBody, headers);`;
