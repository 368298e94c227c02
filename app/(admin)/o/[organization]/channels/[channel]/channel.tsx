"use client";

import { Anchor, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { Page } from "@/app/ui/admin-page";
import { Fact, Facts, IdFact } from "@/app/ui/facts";
import { PageLink } from "@/app/ui/page-link";
import { Section } from "@/app/ui/section";
import { Time } from "@/app/ui/time";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useWasOpen } from "@/app/ui/use-was-open";
import { AuditTrail } from "../../audit/audit-trail";
import { EntityPage } from "../../shared/entity-page";
import { InlineLink } from "../../shared/inline-link";
import { useMay, usePath } from "../../shared/viewer";
import { ChannelTags } from "../channel-tags";
import type { ChannelDetail } from "../types";
import { ActionButton } from "./channel-action";
import type { ChannelDialog } from "./channel-dialogs";
import { ChannelNotices } from "./channel-notices";

const MetaSetUp = dynamic(() => import("./meta-set-up").then((module) => module.MetaSetUp));
const ChannelDialogs = dynamic(() => import("./channel-dialogs").then((module) => module.ChannelDialogs));

const DIALOGS = ["rename", "credentials", "disable"] as const satisfies ChannelDialog[];

/** Callbacks and pauses arrive on their own; the page waits for the first callback. */
const REFRESH_MS = 5_000;
const WAITING_REFRESH_MS = 2_000;

export function ChannelPage({ channelId }: { channelId: string }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.channels.get.queryOptions(
      { channelId },
      {
        refetchInterval: ({ state: { data } }) =>
          data?.lastCallbackAt === null ? WAITING_REFRESH_MS : REFRESH_MS,
      },
    ),
  );
  return (
    <EntityPage kind="Channel" query={query}>
      {(channel) => <OneChannel of={channel} />}
    </EntityPage>
  );
}

function OneChannel({ of: channel }: { of: ChannelDetail }) {
  const path = usePath();
  const may = useMay();
  const mayManage = may("channels.manage");
  const dialogs = useDialogs();
  return (
    <Page
      title={
        <span>
          {channel.name} <ChannelTags of={channel} />
        </span>
      }
      lead={
        <Anchor component={PageLink} href={path("/channels")} inherit>
          All channels
        </Anchor>
      }
      actions={mayManage ? <Acts of={channel} dialogs={dialogs} /> : null}
    >
      <ChannelNotices of={channel} onReplaceToken={() => dialogs.open("credentials")} />
      {mayManage && channel.upstream === "meta" ? <MetaSetUp of={channel} /> : null}
      <ChannelFacts of={channel} />
      {may("audit.read") ? <AuditTrail subjectKind="channel" subjectId={channel.id} /> : null}
    </Page>
  );
}

/** The URL says which dialog is open. */
function useDialogs() {
  const [dialog, setDialog] = useQueryState("dialog", parseAsStringLiteral(DIALOGS));
  return {
    dialog,
    open: (name: ChannelDialog) => void setDialog(name, { history: "push" }),
    close: () => void setDialog(null),
  };
}

function Acts({
  of: channel,
  dialogs: { dialog, open, close },
}: {
  of: ChannelDetail;
  dialogs: ReturnType<typeof useDialogs>;
}) {
  const client = useTRPCClient();
  const wasOpen = useWasOpen(dialog !== null);
  const isDisabled = channel.state === "disabled";
  return (
    <>
      {channel.upstream === "meta" ? (
        <Button variant="default" onClick={() => open("credentials")}>
          New credentials
        </Button>
      ) : null}
      <Button variant="default" onClick={() => open("rename")}>
        Rename
      </Button>
      {channel.isDefault || isDisabled ? null : (
        <ActionButton
          label="Make default"
          done={`${channel.name} is now used for messages without a channel.`}
          act={() => client.channels.makeDefault.mutate({ channelId: channel.id })}
        />
      )}
      {isDisabled ? null : (
        <Button variant="default" c="var(--mantine-color-error)" onClick={() => open("disable")}>
          Disable
        </Button>
      )}
      {wasOpen ? <ChannelDialogs of={channel} dialog={dialog} onClose={close} /> : null}
    </>
  );
}

/** Shows everything known about a channel except its secrets. */
function ChannelFacts({ of: channel }: { of: ChannelDetail }) {
  return (
    <Section title="Details">
      <Facts>
        <Fact name="Number">{channel.displayPhoneNumber}</Fact>
        <Fact name="Provider">
          {channel.upstream === "meta"
            ? "Meta’s WhatsApp Cloud API"
            : "simulator: nothing leaves this machine"}
        </Fact>
        <Fact name="Default">{channel.isDefault ? "yes: used for messages without a channel" : "no"}</Fact>
        <Fact name="Latest callback">
          {channel.lastCallbackAt === null ? "none yet" : <Time at={channel.lastCallbackAt} isExact />}
        </Fact>
        <Fact name="Templates">
          <Templates of={channel} />
        </Fact>
        <Fact name="Connected">
          <Time at={channel.createdAt} isExact />
        </Fact>
        <Messages channelId={channel.id} />
        <IdFact name="Phone number ID" value={channel.phoneNumberId} />
        <IdFact name="WhatsApp Business account ID" value={channel.wabaId} />
        <IdFact name="Channel ID" value={channel.id} />
      </Facts>
    </Section>
  );
}

function Templates({ of: { id, templatesSyncedAt, templatesFailure } }: { of: ChannelDetail }) {
  return (
    <>
      <InlineLink to={`/templates?channel=${id}`}>View templates</InlineLink>
      {templatesSyncedAt === null ? (
        ", not synchronized yet"
      ) : (
        <>
          , synchronized <Time at={templatesSyncedAt} />
        </>
      )}
      {templatesFailure === null ? null : (
        <Text size="sm" c="var(--mantine-color-error)">
          The last synchronization of the templates failed: {templatesFailure}
        </Text>
      )}
    </>
  );
}

function Messages({ channelId }: { channelId: string }) {
  if (!useMay()("messages.read")) return null;
  return (
    <Fact name="Messages">
      <InlineLink to={`/messages?channel=${channelId}`}>All messages</InlineLink> ·{" "}
      <InlineLink to={`/messages?channel=${channelId}&state=failed`}>Failed messages</InlineLink>
    </Fact>
  );
}
