import { Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { QueryState } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { MessagePanel } from "../messages/message-panel";
import { MessageWebhooks } from "../messages/message-webhooks";

/** Everything known about a message: what happened to one that was sent, what was reported of one that came. */
export function MessageDetails({ messageId }: { messageId: string }) {
  const query = useQuery(useTRPC().messages.get.queryOptions({ id: messageId }));
  return (
    <QueryState query={query}>
      {({ direction, created_at: at, message_id: id, type }) =>
        direction === "outbound" ? (
          <MessagePanel messageId={messageId} />
        ) : (
          <Stack gap="xl">
            <Text>The customer wrote this message.</Text>
            <section aria-label="Webhook deliveries">
              <Title order={3} fz="md" mb="xs">
                Webhook deliveries
              </Title>
              <MessageWebhooks messageId={messageId} isQueued={false} />
            </section>
            <Facts>
              <Fact name="Received">
                <Time at={at} isExact />
              </Fact>
              <Fact name="Type">{type}</Fact>
              <IdFact name="Message ID" value={id} />
            </Facts>
          </Stack>
        )
      }
    </QueryState>
  );
}
