"use client";

import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { inferOutput } from "@trpc/tanstack-react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { ActionButton } from "@/app/ui/action-button";
import { Page } from "@/app/ui/admin-page";
import { CopyText } from "@/app/ui/copy";
import { type Column, DataTable, WholeTime } from "@/app/ui/data-table";
import { IconSend } from "@/app/ui/icons";
import { PageLink } from "@/app/ui/page-link";
import { Empty, QueryState } from "@/app/ui/query-state";
import { type Procedures, useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { useWasOpen } from "@/app/ui/use-was-open";
import { ListPanel } from "../../shared/list-panel";
import { useMay, usePath, useViewer } from "../../shared/viewer";
import { WebhookTabs } from "../webhook-tabs";
import { AboutLink, type ReceivedWebhook, SignatureTag } from "./received-parts";

const ReceivedPanel = dynamic(() => import("./received-panel").then((module) => module.ReceivedPanel));
const TestMessage = dynamic(() =>
  import("../../test-message/test-message").then((module) => module.TestMessage),
);

const COLUMNS: Column<ReceivedWebhook>[] = [
  { head: "Event", cell: (row) => <Event of={row} /> },
  { head: "Signature", cell: ({ fault }) => <SignatureTag fault={fault} /> },
  {
    head: "About",
    cell: ({ about, type }) => (about === null ? "–" : <AboutLink about={about} type={type} />),
  },
  { head: "Received", cell: ({ receivedAt }) => <WholeTime at={receivedAt} /> },
];

function Event({ of: { id, type } }: { of: ReceivedWebhook }) {
  const path = usePath();
  return (
    <Anchor inherit component={PageLink} href={path(`/webhooks/inbox/${id}`)} scroll={false}>
      {type ?? "Not an event"}
    </Anchor>
  );
}

/** The webhooks received by the demo’s own endpoint, as an integrator’s program receives them. */
export function Inbox() {
  const { organization } = useViewer();
  if (organization.isDemo) return <DemoInbox />;
  return (
    <Page title="Webhook inbox">
      <Text>
        Only demo organizations have an inbox. Waypost sends the webhooks of this organization to the
        endpoints that you add.
      </Text>
    </Page>
  );
}

function DemoInbox() {
  const [isTesting, setIsTesting] = useState(false);
  const wasTesting = useWasOpen(isTesting);
  const maySend = useMay()("messages.send");
  const test = () => setIsTesting(true);
  return (
    <Page
      title="Webhook inbox"
      lead="The webhooks that your program would get. The list shows the latest webhooks that the demo’s endpoint received, for up to a day. It updates live."
      actions={
        maySend ? (
          <Button leftSection={<IconSend size={16} aria-hidden />} onClick={test}>
            Send a test message
          </Button>
        ) : null
      }
    >
      <WebhookTabs />
      <List />
      <ListPanel list="/webhooks/inbox" param="received" title="Received webhook">
        {(id) => <ReceivedPanel key={id} receivedId={id} />}
      </ListPanel>
      {wasTesting ? <TestMessage staysHere isOpen={isTesting} onClose={() => setIsTesting(false)} /> : null}
    </Page>
  );
}

/** Used while the page is visible. A page in the background doesn't poll. */
const POLL_MS = 2_000;

function List() {
  const trpc = useTRPC();
  const query = useQuery(trpc.inbox.list.queryOptions(undefined, { refetchInterval: POLL_MS }));
  return (
    <QueryState query={query}>
      {({ webhooks, endpoint, url }) => (
        <>
          <EndpointNotice endpoint={endpoint} url={url} />
          {webhooks.length === 0 ? (
            <Empty title="No webhooks yet">
              Send a test message, or write to the demo as a customer. Each state change of a message and each
              customer message appears here within a second or two.
            </Empty>
          ) : (
            <DataTable
              caption="Received webhooks, newest first"
              columns={COLUMNS}
              rows={webhooks}
              rowKey={({ id }) => id}
            />
          )}
        </>
      )}
    </QueryState>
  );
}

type InboxView = inferOutput<Procedures["inbox"]["list"]>;

/** Says why no more webhooks arrive, and what to do. Renders nothing if all is well. */
function EndpointNotice({ endpoint, url }: Pick<InboxView, "endpoint" | "url">) {
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
