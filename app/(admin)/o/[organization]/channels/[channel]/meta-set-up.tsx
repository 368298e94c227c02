"use client";

import { Alert, Code, Group, List, Loader, Text } from "@mantine/core";
import { ActionButton } from "@/app/ui/action-button";
import { CopyText } from "@/app/ui/copy";
import { IconCircleCheck } from "@/app/ui/icons";
import { Section } from "@/app/ui/section";
import { Time } from "@/app/ui/time";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { Words } from "@/app/ui/words";
import { SecretLine } from "@/app/ui/secret-line";
import { useBaseUrl } from "../../keys/use-base-url";
import { useChanged } from "../../shared/use-changed";
import { useFreshToken } from "../fresh-token";
import type { ChannelDetail } from "../types";

/** Shows what to enter at Meta, and whether Meta has called since. */
export function MetaSetUp({ of: channel }: { of: ChannelDetail }) {
  const baseUrl = useBaseUrl();
  const address = `${baseUrl}${channel.callbackPath}`;
  return (
    <Section
      title="Callbacks"
      lead="Meta sends status updates and customer messages to this URL. Enter it in your Meta app under WhatsApp, Configuration, Webhook."
    >
      <Arrival of={channel} />
      <List type="ordered" spacing="md" styles={{ itemWrapper: { display: "block" } }}>
        <List.Item>
          <Text span fw={600}>
            Callback URL
          </Text>
          <Group gap="xs" mt={4}>
            <Code fz="sm" style={{ overflowWrap: "anywhere" }}>
              {address}
            </Code>
            <CopyText value={address} label="Copy URL" />
          </Group>
          {channel.callbackRemark === null ? null : (
            <Alert color="yellow" variant="light" mt="xs">
              <Text size="sm">
                <Words>{channel.callbackRemark}</Words>
              </Text>
            </Alert>
          )}
        </List.Item>
        <List.Item>
          <Text span fw={600}>
            Verify token
          </Text>
          <VerifyToken channelId={channel.id} />
        </List.Item>
        <List.Item>
          <Text span fw={600}>
            Webhook fields
          </Text>
          <Text size="sm" mt={4}>
            Subscribe to <Code>messages</Code>, and to <Code>message_template_status_update</Code> so that
            Waypost learns the state of a template immediately.
          </Text>
        </List.Item>
      </List>
    </Section>
  );
}

/** Says whether callbacks arrive. It changes while the page is open, and screen readers announce the change. */
function Arrival({ of: { callbackVerifiedAt, lastCallbackAt } }: { of: ChannelDetail }) {
  return (
    <Group component="output" gap="xs" wrap="nowrap" align="flex-start">
      {lastCallbackAt === null ? (
        <>
          <Loader size="xs" mt={4} aria-hidden />
          {callbackVerifiedAt === null ? (
            <Text>Waiting for Meta to verify the URL.</Text>
          ) : (
            <Text>
              Meta verified the URL <Time at={callbackVerifiedAt} />. Waiting for the first callback. To test
              it, send a message to the number from a phone.
            </Text>
          )}
        </>
      ) : (
        <>
          <IconCircleCheck
            size={20}
            color="var(--accent)"
            style={{ flexShrink: 0, marginTop: 2 }}
            aria-hidden
          />
          <Text>
            Callbacks are arriving. The latest arrived <Time at={lastCallbackAt} />.
          </Text>
        </>
      )}
    </Group>
  );
}

function VerifyToken({ channelId }: { channelId: string }) {
  const client = useTRPCClient();
  const changed = useChanged("channels");
  const { fresh, setFresh } = useFreshToken();
  const act = useAction(async () => {
    const { verifyToken } = await client.channels.renewVerifyToken.mutate({ channelId });
    setFresh({ channelId, verifyToken });
    await changed();
  });
  if (fresh?.channelId === channelId) {
    return (
      <>
        <Text size="sm" mt={4} mb="xs">
          It is shown only now. Copy it before you leave this page.
        </Text>
        <SecretLine label="Verify token" value={fresh.verifyToken} onCopied={() => undefined} />
      </>
    );
  }
  return (
    <>
      <Text size="sm" mt={4} mb="xs">
        The token was shown when it was created. If you lost it, create a new one. A URL that Meta has already
        verified keeps working.
      </Text>
      <ActionButton act={act} variant="default" size="xs">
        Create a new verify token
      </ActionButton>
    </>
  );
}
