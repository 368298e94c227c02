import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { PageLink } from "@/app/ui/page-link";
import { Empty, QueryState } from "@/app/ui/query-state";
import { useTRPC } from "@/app/ui/trpc";
import { useMay, usePath } from "../shared/viewer";

const ONE = "1";

/** Shown before the first message: how to connect a number if there is none yet, and `steps` otherwise. */
export function FirstSteps({ steps }: { steps: ReactNode }) {
  const query = useQuery(useTRPC().channels.list.queryOptions({ limit: ONE }));
  return (
    <QueryState query={query} rows={2}>
      {({ data }) => (data.length === 0 ? <ConnectFirst /> : steps)}
    </QueryState>
  );
}

function ConnectFirst() {
  const path = usePath();
  const may = useMay();
  if (!may("channels.manage")) {
    return (
      <Empty title="No number connected yet">
        Messages are sent from your own number. Ask an owner or admin of the organization to connect one.
      </Empty>
    );
  }
  return (
    <Empty title="Connect a number first">
      <p>Messages are sent from your own WhatsApp number. You have to connect it first.</p>
      <Button component={PageLink} href={path("/channels")} size="xs" mt="xs">
        Connect a number
      </Button>
    </Empty>
  );
}
