"use client";

import { Stack, Text, TextInput } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../../shared/use-changed";
import { SecretField } from "../secret-field";
import type { ChannelDetail } from "../types";

export type ChannelDialog = "rename" | "credentials" | "disable";

interface Props {
  of: ChannelDetail;
  onClose: () => void;
}

/** The dialogs of a channel's page. At most one is open. */
export function ChannelDialogs({ dialog, ...props }: Props & { dialog: ChannelDialog | null }) {
  const { name } = props.of;
  // Mantine restores the focus only if the dialog was mounted before it opened.
  const isThere = useMounted();
  const open = (one: ChannelDialog) => ({ isOpen: isThere && dialog === one, onClose: props.onClose });
  return (
    <>
      <Dialog {...open("rename")} title={`Rename ${name}`} size="md">
        <RenameForm {...props} />
      </Dialog>
      {props.of.upstream === "meta" ? (
        <Dialog {...open("credentials")} title={`New credentials for ${name}`}>
          <CredentialsForm {...props} />
        </Dialog>
      ) : null}
      <Dialog {...open("disable")} title={`Disable ${name}`} size="md">
        <DisableForm {...props} />
      </Dialog>
    </>
  );
}

function RenameForm({ of: channel, onClose }: Props) {
  const client = useTRPCClient();
  const changed = useChanged("channels");
  const [name, setName] = useState(channel.name);
  const form = useAction(async () => {
    await client.channels.set.mutate({ channelId: channel.id, name });
    onClose();
    await changed();
  }, "The channel was renamed.");
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          required
          data-autofocus
          autoComplete="off"
          value={name}
          error={form.faultAt("name")}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Fault of={form.faultBeside("name")} />
        <DialogButtons onClose={onClose} isBusy={form.isBusy}>
          Save
        </DialogButtons>
      </Stack>
    </form>
  );
}

function CredentialsForm({ of: { id, name }, onClose }: Props) {
  const client = useTRPCClient();
  const changed = useChanged("channels");
  const [accessToken, setAccessToken] = useState("");
  const [appSecret, setAppSecret] = useState("");
  const isEmpty = accessToken.trim() === "" && appSecret.trim() === "";
  const form = useAction(async () => {
    const given = {
      ...(accessToken.trim() === "" ? {} : { accessToken: accessToken.trim() }),
      ...(appSecret.trim() === "" ? {} : { appSecret: appSecret.trim() }),
    };
    const set = await client.channels.set.mutate({ channelId: id, ...given });
    notifications.show(wordsOf(name, set));
    onClose();
    await changed();
  });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) form.onSubmit(event);
      }}
    >
      <Stack gap="md">
        <Text size="sm">
          Leave a field empty to keep its value. Waypost checks the other values with Meta before saving them.
        </Text>
        <SecretField
          label="Access token"
          name="accessToken"
          data-autofocus
          value={accessToken}
          error={form.faultAt("accessToken")}
          onChange={({ currentTarget }) => setAccessToken(currentTarget.value)}
        />
        <SecretField
          label="App secret"
          name="appSecret"
          description="From now on, only callbacks that Meta signs with this secret are accepted."
          value={appSecret}
          error={form.faultAt("appSecret")}
          onChange={({ currentTarget }) => setAppSecret(currentTarget.value)}
        />
        <Fault of={form.faultBeside("accessToken", "appSecret")} />
        <DialogButtons onClose={onClose} isBusy={form.isBusy} isDisabled={isEmpty}>
          Save
        </DialogButtons>
      </Stack>
    </form>
  );
}

interface ChannelSet {
  readonly token: { readonly kind: "works" } | { readonly kind: "untried"; readonly reason: string } | null;
  readonly endedPause: string | null;
}

function wordsOf(name: string, { token, endedPause }: ChannelSet) {
  if (token?.kind === "untried") {
    return {
      color: "yellow",
      title: "Saved, but not tested",
      message: `Meta couldn’t be reached: ${token.reason}`,
      autoClose: false as const,
    };
  }
  if (endedPause !== null) return { message: `The credentials work, and ${name} sends again.` };
  return { message: "The credentials were saved." };
}

function DisableForm({ of: { id, name, isDefault }, onClose }: Props) {
  const client = useTRPCClient();
  const changed = useChanged("channels");
  const form = useAction(async () => {
    await client.channels.disable.mutate({ channelId: id });
    onClose();
    await changed();
  }, `${name} was disabled.`);
  return (
    <form onSubmit={form.onSubmit}>
      <Stack gap="md">
        <Text>
          New messages on this channel are refused immediately. Waiting messages stay in the queue and are
          sent when the channel is enabled again. Sent messages still get status updates.
        </Text>
        {isDefault ? (
          <Text>
            This is the default channel. While it is disabled, messages without a channel use the oldest of
            the other channels.
          </Text>
        ) : null}
        <Fault of={form.faultBeside()} />
        <DialogButtons onClose={onClose} isBusy={form.isBusy} isDanger focus="out">
          Disable channel
        </DialogButtons>
      </Stack>
    </form>
  );
}
