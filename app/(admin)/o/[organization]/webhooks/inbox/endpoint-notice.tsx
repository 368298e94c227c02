import { Alert, Group, Stack, Text } from "@mantine/core";
import type { inferOutput } from "@trpc/tanstack-react-query";
import { ActionButton } from "@/app/ui/action-button";
import { CopyText } from "@/app/ui/copy";
import { type Procedures, useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";

type InboxView = inferOutput<Procedures["inbox"]["list"]>;

/** Says why no more webhooks arrive, and what to do. Renders nothing if all is well. */
export function EndpointNotice({ endpoint, url }: Pick<InboxView, "endpoint" | "url">) {
  if (endpoint?.isEnabled) return null;
  return (
    <Alert color="yellow" variant="light" mb="sm" title="This inbox gets no new webhooks">
      <Stack gap="xs">{endpoint === null ? <Removed url={url} /> : <Disabled id={endpoint.id} />}</Stack>
    </Alert>
  );
}

function Removed({ url }: Pick<InboxView, "url">) {
  return (
    <>
      <Text size="sm">
        The endpoint of this inbox was removed or its URL was changed.
        {url === null ? null : " To get webhooks here again, add a webhook endpoint with the inbox’s URL."}
      </Text>
      {url === null ? null : (
        <Group>
          <CopyText value={url} label="Copy inbox URL" />
        </Group>
      )}
    </>
  );
}

function Disabled({ id }: { id: string }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refetch = useRefetch();
  const act = useAction(async () => {
    await client.webhooks.set.mutate({ id, enabled: true });
    await refetch(trpc.inbox.pathFilter(), trpc.webhooks.pathFilter());
  }, "The inbox’s endpoint was enabled.");
  return (
    <>
      <Text size="sm">
        The endpoint of this inbox is disabled. New events are kept as skipped. You can send them later.
      </Text>
      <Group>
        <ActionButton act={act} size="xs" variant="default">
          Enable endpoint
        </ActionButton>
      </Group>
    </>
  );
}
