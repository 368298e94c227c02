"use client";

import { Anchor, Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type RefObject, useRef, useState } from "react";
import { Page } from "@/app/ui/admin-page";
import { PageLink } from "@/app/ui/page-link";
import { QueryState } from "@/app/ui/query-state";
import { useTRPC } from "@/app/ui/trpc";
import { useFocusRescued } from "@/app/ui/use-focus-rescued";
import { AuditTrail } from "../../audit/audit-trail";
import { ListPanel } from "../../shared/list-panel";
import { useMay, usePath } from "../../shared/viewer";
import { EndpointTags } from "../endpoint-tags";
import { nameOf } from "../names";
import type { EndpointDetail, NewSecret } from "../types";
import { Deliveries } from "./deliveries";
import { ENDPOINT_DIALOGS, type EndpointDialog } from "./dialog-names";
import styles from "./endpoint.module.css";
import { EndpointFacts } from "./endpoint-facts";
import { EndpointNotices } from "./endpoint-notices";
import { useEndpointTest } from "./use-endpoint-test";
import { TestResult } from "./test-result";

const EndpointDialogs = dynamic(() => import("./endpoint-dialogs").then((module) => module.EndpointDialogs));
const RevealSecret = dynamic(() => import("../reveal-secret").then((module) => module.RevealSecret));
const DeliveryPanel = dynamic(() => import("./delivery-panel").then((module) => module.DeliveryPanel));

/** The endpoint fails and recovers on its own. */
const REFRESH_MS = 5_000;

export function EndpointPage({ endpointId }: { endpointId: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.webhooks.inspect.queryOptions({ id: endpointId }, { refetchInterval: REFRESH_MS }),
  );
  return <QueryState query={query}>{(endpoint) => <OneEndpoint of={endpoint} />}</QueryState>;
}

function OneEndpoint({ of: endpoint }: { of: EndpointDetail }) {
  const path = usePath();
  const may = useMay();
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(ENDPOINT_DIALOGS));
  const opener = useRef<HTMLButtonElement>(null);
  const title = useRef<HTMLSpanElement>(null);
  useFocusRescued(title);
  const test = useEndpointTest(endpoint.id);
  const open = (name: EndpointDialog) => void setDialog(name, { history: "push" });
  return (
    <>
      <Page
        title={
          <span ref={title} tabIndex={-1}>
            {nameOf(endpoint)} <EndpointTags of={endpoint} />
          </span>
        }
        lead={
          <Anchor component={PageLink} href={path("/webhooks")} inherit>
            All webhooks
          </Anchor>
        }
        actions={<Actions of={endpoint} test={test} opener={opener} onOpen={open} />}
      >
        <div>
          <Stack gap="sm" aria-live="polite" className={styles.notices}>
            <TestResult of={test} endpointId={endpoint.id} />
            <EndpointNotices of={endpoint} onReplay={() => open("replay")} />
          </Stack>
          <EndpointFacts of={endpoint} />
        </div>
        <Deliveries of={endpoint} onReplay={() => open("replay")} />
        {may("audit.read") ? <AuditTrail subjectKind="webhook" subjectId={endpoint.id} /> : null}
        <ListPanel list={`/webhooks/${endpoint.id}`} param="delivery" title="Delivery">
          {(id) => <DeliveryPanel key={id} endpoint={endpoint} deliveryId={id} />}
        </ListPanel>
      </Page>
      <Dialogs of={endpoint} dialog={dialog} opener={opener} onClose={() => void setDialog(null)} />
    </>
  );
}

/** The actions for the endpoint. */
function Actions({
  of: { enabled },
  test,
  opener,
  onOpen,
}: {
  of: EndpointDetail;
  test: ReturnType<typeof useEndpointTest>;
  /** The button that creates a new secret. */
  opener: RefObject<HTMLButtonElement | null>;
  onOpen: (dialog: EndpointDialog) => void;
}) {
  return (
    <>
      <Button loading={test.act.isBusy} onClick={test.act.run}>
        Send a test
      </Button>
      <Button variant="default" onClick={() => onOpen("change")}>
        Change
      </Button>
      <Button ref={opener} variant="default" onClick={() => onOpen("rotate")}>
        New secret
      </Button>
      {enabled ? (
        <Button variant="default" onClick={() => onOpen("disable")}>
          Disable
        </Button>
      ) : null}
      <Button variant="default" c="var(--mantine-color-error)" onClick={() => onOpen("remove")}>
        Remove
      </Button>
    </>
  );
}

/** Loaded when a dialog is first opened. Stays mounted from then on, so that it can restore the focus. */
function Dialogs({
  of: endpoint,
  dialog,
  opener,
  onClose,
}: {
  of: EndpointDetail;
  dialog: EndpointDialog | null;
  opener: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}) {
  const [wasOpen, setWasOpen] = useState(false);
  const [made, setMade] = useState<NewSecret | null>(null);
  if (dialog !== null && !wasOpen) setWasOpen(true);
  if (!wasOpen) return null;
  return (
    <>
      <EndpointDialogs
        of={endpoint}
        dialog={dialog}
        onClose={onClose}
        onMade={(secret) => {
          onClose();
          setMade(secret);
        }}
      />
      <RevealSecret made={made} opener={opener} onClose={() => setMade(null)} />
    </>
  );
}
