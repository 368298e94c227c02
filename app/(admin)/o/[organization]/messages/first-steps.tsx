import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { PageLink } from "@/app/ui/page-link";
import { Empty, QueryState } from "@/app/ui/query-state";
import { useTRPC } from "@/app/ui/trpc";
import { useMay, usePath } from "../shell/viewer";

const ONE = "1";

/** What to do where nothing was ever sent: without a number nothing can be. */
export function FirstSteps({ onTest }: { onTest: () => void }) {
  const query = useQuery(useTRPC().channels.list.queryOptions({ limit: ONE }));
  return (
    <QueryState query={query} rows={2}>
      {({ data }) => (data.length === 0 ? <ConnectFirst /> : <SendFirst onTest={onTest} />)}
    </QueryState>
  );
}

function ConnectFirst() {
  const path = usePath();
  const may = useMay();
  if (!may("channels.manage")) {
    return (
      <Empty title="No number is connected yet">
        Messages are sent from a number of yours. Ask an owner or admin of the organization to connect one.
      </Empty>
    );
  }
  return (
    <Empty title="Connect a number first">
      <p>Messages are sent from a number of yours at WhatsApp, which has to be connected before.</p>
      <Button component={PageLink} href={path("/channels")} size="xs" mt="xs">
        Connect a number
      </Button>
    </Empty>
  );
}

function SendFirst({ onTest }: { onTest: () => void }) {
  const maySend = useMay()("messages.send");
  return (
    <Empty title="No messages yet">
      <p>
        They appear here as soon as one is sent, by a program with an API key or as a test from this page.
      </p>
      {maySend ? (
        <Button size="xs" variant="default" mt="xs" onClick={onTest}>
          Send the first one
        </Button>
      ) : null}
    </Empty>
  );
}
