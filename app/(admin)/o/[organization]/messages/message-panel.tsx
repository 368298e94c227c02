"use client";

import { Alert, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { useState } from "react";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { createFollower } from "@/app/ui/follow";
import { QueryState } from "@/app/ui/query-state";
import { DatedClockTime, Time } from "@/app/ui/time";
import { type Procedures, useTRPC } from "@/app/ui/trpc";
import { Words } from "@/app/ui/words";
import { InlineLink } from "../shared/inline-link";
import { StateTag } from "../shared/message-state";
import { InlinePhoneLink } from "../shared/phone-link";
import { useMay } from "../shared/viewer";
import { numberWords, senderName } from "./columns";
import { MessageContent } from "./message-content";
import { MessageWebhooks } from "./message-webhooks";
import { SendAgain } from "./send-again";
import { Timeline } from "./timeline";

export type Inspection = inferOutput<Procedures["messages"]["inspect"]>;

/** Shows one message: first what happened in plain words, then everything known about it. */
export function MessagePanel({ messageId }: { messageId: string }) {
  const trpc = useTRPC();
  // Polls in every state: a late callback can correct a message that counts as failed, and any message can be sent
  // again or erased.
  const [pauseMs] = useState(createFollower);
  const query = useQuery(
    trpc.messages.inspect.queryOptions(
      { messageId },
      { refetchInterval: ({ state }) => (state.data === undefined ? false : pauseMs(state)) },
    ),
  );
  return (
    <QueryState query={query}>
      {(message) => (
        <Stack gap="xl">
          <WhatHappened message={message} />
          <Section title="Timeline">
            <Timeline entries={message.timeline} />
          </Section>
          <Section title="Webhook deliveries">
            <MessageWebhooks messageId={message.id} isQueued={message.state === "queued"} />
          </Section>
          <Section title="Content">
            <MessageContent message={message} />
          </Section>
          <Section title="Details">
            <MessageFacts message={message} />
          </Section>
        </Stack>
      )}
    </QueryState>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} fz="md" mb="xs">
        {title}
      </Title>
      {children}
    </section>
  );
}

const RESEND_WORDS = {
  safe: "You can safely send it again: the customer hasn’t received it.",
  later: "You can safely send it again later. For now, it would be refused again.",
  never: "Don’t send it again unchanged: it would fail again.",
  may_duplicate: "If you send it again, the customer may get it twice.",
  not_needed: null,
} as const satisfies Record<Inspection["explanation"]["resend"], string | null>;

type Explanation = Inspection["explanation"];
type Pending = NonNullable<Inspection["pending"]>;

function WhatHappened({ message }: { message: Inspection }) {
  const { explanation, state, inDoubtSince, pending, resends, resendOf } = message;
  const words = RESEND_WORDS[explanation.resend];
  const maySend = useMay()("messages.send");
  return (
    <Stack gap="sm" align="flex-start">
      <div aria-live="polite">
        <StateTag state={state} isInDoubt={inDoubtSince !== null} />
        <Text fz="lg" fw={600} mt={6}>
          <Words>{explanation.whatHappened}</Words>
        </Text>
      </div>
      {explanation.upstream === null ? null : <WhatsAppsCode upstream={explanation.upstream} />}
      <section aria-label="What to do">
        <Title order={3} fz="sm" c="dimmed" fw={600}>
          What to do
        </Title>
        <Text>
          <Words>{explanation.whatToDo}</Words>
          {pending?.reason === "next_attempt" ? (
            <>
              {" "}
              We retry until <DatedClockTime at={pending.givenUpAt} />. After that, the message fails.
            </>
          ) : null}
        </Text>
        {words === null ? null : (
          <Text>
            {words}
            {explanation.resendAfter === null ? null : (
              <>
                {" "}
                Possible from <Time at={explanation.resendAfter} />.
              </>
            )}
          </Text>
        )}
      </section>
      {pending === null ? null : <WaitsUntil pending={pending} />}
      {resendOf === null ? null : (
        <Text size="sm">
          This is a resend of <MessageLink id={resendOf}>an earlier message</MessageLink>.
        </Text>
      )}
      {resends.map((resend) => (
        <Text key={resend.id} size="sm" component="div">
          <MessageLink id={resend.id}>Sent again</MessageLink> <Time at={resend.createdAt} />:{" "}
          <StateTag state={resend.state} isInDoubt={resend.inDoubtSince !== null} />
        </Text>
      ))}
      {maySend && explanation.isResendable ? <SendAgain message={message} /> : null}
    </Stack>
  );
}

/** The upstream error code and its title, for support staff to look up or to give to WhatsApp’s support. */
function WhatsAppsCode({ upstream: { code, title } }: { upstream: NonNullable<Explanation["upstream"]> }) {
  return (
    <Text size="sm" c="dimmed">
      WhatsApp error code {code}
      {title === null ? "" : `: ${title}`}
    </Text>
  );
}

/** What happens at `until`, by the reason for waiting. */
const NEXT: Partial<Record<Pending["reason"], string>> = {
  answer: "Waiting for WhatsApp’s response until",
  confirmation: "Waiting for WhatsApp’s confirmation until",
  channel_paused: "Next check whether the channel works again:",
  customer_limit: "Next attempt:",
  next_attempt: "Next attempt:",
};

function WaitsUntil({ pending: { reason, until, givenUpAt, behind } }: { pending: Pending }) {
  return (
    <Text size="sm" c="dimmed">
      {until === null ? null : (
        <>
          {NEXT[reason] ?? "Next:"} <Time at={until} isExact />.{" "}
        </>
      )}
      {behind === null ? null : (
        <>
          It is waiting for <MessageLink id={behind}>this message</MessageLink>.{" "}
        </>
      )}
      {reason === "next_attempt" ? null : (
        <>
          If nothing changes, the message fails <Time at={givenUpAt} />.
        </>
      )}
    </Text>
  );
}

/** The hour and minute, with the day if it isn't today. The full time shows on hover. */
function MessageLink({ id, children }: { id: string; children: React.ReactNode }) {
  return (
    <InlineLink to={`/messages/${id}`} scroll={false}>
      {children}
    </InlineLink>
  );
}

/** Shows everything known about a message except its timeline. */
function MessageFacts({ message }: { message: Inspection }) {
  const { contact, channel, sender, recipient, pause, erasedAt } = message;
  const may = useMay();
  const refused = new URLSearchParams({ client: message.clientMessageId ?? "" }).toString();
  return (
    <Stack gap="sm">
      {pause === null ? null : (
        <Alert
          color="yellow"
          variant="light"
          title={`The channel is paused: ${pause.message ?? pause.reason}`}
        >
          {pause.remedy === null ? null : <Words>{pause.remedy}</Words>}
        </Alert>
      )}
      <Facts>
        <Fact name="To">
          {numberWords(recipient)} <InlinePhoneLink channelIds={[channel.id]} number={recipient} />
        </Fact>
        <Fact name="Contact">
          <InlineLink to={`/contacts/${contact.id}`}>{contact.name ?? "no name"}</InlineLink>
        </Fact>
        <Fact name="Channel">
          <InlineLink to={`/channels/${channel.id}`}>{channel.name ?? channel.id}</InlineLink>
        </Fact>
        <Fact name="Sent by">
          {sender.kind === "key" && may("integrations.manage_api") ? (
            <InlineLink to={`/keys/${sender.id}`}>{senderName(sender)}</InlineLink>
          ) : (
            senderName(sender)
          )}
        </Fact>
        <Fact name="Accepted">
          <Time at={message.createdAt} isExact />
        </Fact>
        {erasedAt === null ? null : (
          <Fact name="Erased">
            <Time at={erasedAt} isExact />
          </Fact>
        )}
        <IdFact name="Message ID" value={message.id} />
        <IdFact name="client_message_id" value={message.clientMessageId} />
        <IdFact name="Request ID" value={message.requestId} />
        <IdFact name="wamid" value={message.upstreamId} />
        <IdFact name="Conversation ID (thread_id)" value={message.threadId} />
        {message.clientMessageId === null ? null : (
          <Fact name="Refused earlier">
            <InlineLink to={`/requests?${refused}`}>Requests with the same client_message_id</InlineLink>
          </Fact>
        )}
      </Facts>
    </Stack>
  );
}
