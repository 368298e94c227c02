"use client";

import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { type RefObject, useRef, useState } from "react";
import { Page } from "@/app/ui/admin-page";
import { CopyIcon } from "@/app/ui/copy";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { PageLink } from "@/app/ui/page-link";
import { Section } from "@/app/ui/section";
import { Time } from "@/app/ui/time";
import { useTRPC } from "@/app/ui/trpc";
import { useFocusRescued } from "@/app/ui/use-focus-rescued";
import { useWasOpen } from "@/app/ui/use-was-open";
import { AuditTrail } from "../../audit/audit-trail";
import { EntityPage } from "../../shared/entity-page";
import { ChannelNames } from "../../shared/channels-field";
import { InlineLink } from "../../shared/inline-link";
import { ListPanel } from "../../shared/list-panel";
import { useMay, usePath } from "../../shared/viewer";
import { nameOf, withoutQuery } from "../names";
import { EndpointTags } from "../tags";
import type { EndpointDetail, NewSecret } from "../types";
import { eventsInWords } from "../words";
import { Deliveries } from "./deliveries";
import { EndpointNotices } from "./endpoint-notices";
import styles from "./endpoint.module.css";
import { manyInWords } from "./how-many";
import { TestResult, useEndpointTest } from "./test-result";

const EndpointDialogs = dynamic(() => import("./endpoint-dialogs").then((module) => module.EndpointDialogs));
const RevealSecret = dynamic(() => import("../reveal-secret").then((module) => module.RevealSecret));
const DeliveryPanel = dynamic(() => import("./delivery-panel").then((module) => module.DeliveryPanel));

const DIALOGS = ["change", "rotate", "disable", "replay", "remove"] as const;

export type EndpointDialog = (typeof DIALOGS)[number];

/** The endpoint fails and recovers on its own. */
const REFRESH_MS = 5_000;

export function EndpointPage({ endpointId }: { endpointId: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.webhooks.inspect.queryOptions({ id: endpointId }, { refetchInterval: REFRESH_MS }),
  );
  return (
    <EntityPage kind="Webhook" query={query}>
      {(endpoint) => <OneEndpoint of={endpoint} />}
    </EntityPage>
  );
}

function OneEndpoint({ of: endpoint }: { of: EndpointDetail }) {
  const path = usePath();
  const may = useMay();
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(DIALOGS));
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
        Rotate secret
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

/** The dialogs, and then the secret that one of them made. */
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
  const [made, setMade] = useState<NewSecret | null>(null);
  const wasOpen = useWasOpen(dialog !== null);
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

/** Shows everything known about an endpoint except its secrets. */
function EndpointFacts({ of: endpoint }: { of: EndpointDetail }) {
  const { id, url, description, waiting, created_at: createdAt, channel_ids: channelIds } = endpoint;
  return (
    <Section title="Details">
      <Facts>
        {description === "" || description === nameOf(endpoint) ? null : (
          <Fact name="Description">{description}</Fact>
        )}
        <Fact name="URL">
          {url === null ? (
            "none: your program fetches events, which are kept for seven days"
          ) : (
            <Url of={url} />
          )}
        </Fact>
        <Fact name="Events">{eventsInWords(endpoint.events)}</Fact>
        <Fact name="Channels">
          {channelIds === null ? "all, including future ones" : <ChannelNames ids={channelIds} />}
        </Fact>
        {url === null ? null : (
          <Fact name="Pending">
            {waiting.count === 0 ? (
              "none"
            ) : (
              <InlineLink to={`/webhooks/${id}?state=pending`}>{manyInWords(waiting)}</InlineLink>
            )}
          </Fact>
        )}
        <Fact name="Added">
          <Time at={createdAt} isExact />
        </Fact>
        <IdFact name="ID" value={id} />
      </Facts>
    </Section>
  );
}

function Url({ of: url }: { of: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start">
      <Text span inherit style={{ overflowWrap: "anywhere", minWidth: 0 }}>
        {withoutQuery(url)}
      </Text>
      <CopyIcon value={url} what="the URL" />
    </Group>
  );
}
