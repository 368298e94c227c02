"use client";

import { Button, Checkbox, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { Dialog } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/fault";
import { refusalOf } from "@/app/ui/refusal";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAct } from "@/app/ui/use-act";
import { usePath } from "../shell/viewer";
import { FIELDS, type Faults, faultsOf, type Field, inputOf, NOTHING, withoutFault } from "./connect-values";
import { useFreshToken } from "./fresh-token";
import { SecretField } from "./secret-field";
import { useChannelsChanged } from "./use-channels-changed";

/** Connects a number of Meta's, and leads on to its page, which says what to tell Meta. */
export function ConnectNumber({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  // Mantine only remembers whose the focus was where the dialog opens after it was there.
  const isThere = useMounted();
  return (
    <Dialog isOpen={isOpen && isThere} onClose={onClose} title="Connect a number">
      <ConnectForm onClose={onClose} />
    </Dialog>
  );
}

function ConnectForm({ onClose }: { onClose: () => void }) {
  const client = useTRPCClient();
  const router = useRouter();
  const path = usePath();
  const changed = useChannelsChanged();
  const { setFresh } = useFreshToken();
  const [values, setValues] = useState(NOTHING);
  const [faults, setFaults] = useState<Faults>({});
  const form = useAct(async () => {
    const made = await client.channels.connect.mutate(inputOf(values)).catch((error: unknown) => {
      // A secret that was refused isn't one: nobody wants to see it again.
      const { field: refused } = refusalOf(error);
      if (refused === "accessToken" || refused === "appSecret") {
        setValues((before) => ({ ...before, [refused]: "" }));
      }
      throw error;
    });
    setFresh(made);
    router.push(path(`/channels/${made.channelId}`));
    await changed();
  }, "The number is connected.");
  const field = (name: Field) => ({
    name,
    value: values[name],
    error: faults[name] ?? form.faultAt(name),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setValues((before) => ({ ...before, [name]: value }));
      setFaults((before) => withoutFault(before, name));
    },
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = faultsOf(values);
    setFaults(found);
    const first = FIELDS.find((name) => found[name] !== undefined);
    if (first === undefined) form.run();
    else event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  };
  const check = (name: "isDefault" | "alreadyInUse") => ({
    checked: values[name],
    onChange: ({ currentTarget: { checked } }: { currentTarget: { checked: boolean } }) =>
      setValues((before) => ({ ...before, [name]: checked })),
  });
  const typed = { autoComplete: "off", spellCheck: false } as const;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          All of this is in your app at Meta, under WhatsApp. Meta is asked about it before anything is saved.
        </Text>
        <TextInput
          {...typed}
          {...field("name")}
          label="Name"
          description="For your colleagues, such as “Shop”"
          required
          data-autofocus
        />
        <TextInput
          {...typed}
          {...field("phoneNumberId")}
          label="Phone number ID"
          inputMode="numeric"
          required
        />
        <TextInput
          {...typed}
          {...field("wabaId")}
          label="WhatsApp Business account ID"
          inputMode="numeric"
          required
        />
        <SecretField
          {...field("accessToken")}
          label="Access token"
          description="A lasting one, of a system user with the permissions whatsapp_business_messaging and whatsapp_business_management"
          required
        />
        <SecretField
          {...field("appSecret")}
          label="App secret"
          description="In the app’s basic settings. Meta signs what it sends with it."
          required
        />
        <TextInput
          {...typed}
          {...field("verifyToken")}
          label="Verify token"
          description="Leave it empty, and a new one is made for you."
        />
        <Checkbox
          {...check("isDefault")}
          label="Use it where a message names no channel"
          description="In place of the present default, if there is one."
        />
        <Checkbox
          {...check("alreadyInUse")}
          label="This number is already in use"
          description="For 24 hours customers who never wrote here count as if they had: they may have written before it was connected."
        />
        <Fault of={form.faultBeside(...FIELDS)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={form.isBusy}>
            Connect
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
