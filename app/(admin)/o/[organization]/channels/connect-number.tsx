"use client";

import { Checkbox, Stack, Text, TextInput } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { toApiError } from "@/app/ui/api-error";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";
import { usePath } from "../shared/viewer";
import { FIELDS, type Faults, faultsOf, type Field, inputOf, NOTHING, withoutFault } from "./connect-values";
import { useFreshToken } from "./fresh-token";
import { SecretField } from "./secret-field";

/** Connects a number at Meta, then opens its page, which says what to enter at Meta. */
export function ConnectNumber({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  // Mantine restores the focus only if the dialog was mounted before it opened.
  const isThere = useMounted();
  return (
    <Dialog isOpen={isOpen && isThere} onClose={onClose} title="Connect a number">
      <ConnectForm onClose={onClose} />
    </Dialog>
  );
}

function ConnectForm({ onClose }: { onClose: () => void }) {
  const { field, check, onSubmit, isBusy, fault } = useConnectForm();
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          You find these values in your Meta app, under WhatsApp. Waypost checks them with Meta before saving
          anything.
        </Text>
        <NumberFields field={field} />
        <Checkbox
          {...check("isDefault")}
          label="Use this number for messages without a channel"
          description="It replaces the current default channel, if there is one."
        />
        <Checkbox
          {...check("alreadyInUse")}
          label="This number is already in use"
          description="For 24 hours, Waypost treats the customer service window as open for customers who never wrote here. They may have written before the number was connected."
        />
        <Fault of={fault} />
        <DialogButtons onClose={onClose} isBusy={isBusy}>
          Connect
        </DialogButtons>
      </Stack>
    </form>
  );
}

const TYPED = { autoComplete: "off", spellCheck: false } as const;

function NumberFields({ field }: Pick<ReturnType<typeof useConnectForm>, "field">) {
  return (
    <>
      <TextInput
        {...TYPED}
        {...field("name")}
        label="Name"
        description="For your colleagues, such as “Shop”"
        required
        data-autofocus
      />
      <TextInput
        {...TYPED}
        {...field("phoneNumberId")}
        label="Phone number ID"
        inputMode="numeric"
        required
      />
      <TextInput
        {...TYPED}
        {...field("wabaId")}
        label="WhatsApp Business account ID"
        inputMode="numeric"
        required
      />
      <SecretField
        {...field("accessToken")}
        label="Access token"
        description="A permanent token of a system user with the permissions whatsapp_business_messaging and whatsapp_business_management"
        required
      />
      <SecretField
        {...field("appSecret")}
        label="App secret"
        description="You find it in the app’s basic settings. Meta signs its callbacks with it."
        required
      />
      <TextInput
        {...TYPED}
        {...field("verifyToken")}
        label="Verify token"
        description="Leave this empty to generate one."
      />
    </>
  );
}

/** The form that connects a number: its values, its errors and its submission, which opens the number's page. */
function useConnectForm() {
  const client = useTRPCClient();
  const router = useRouter();
  const path = usePath();
  const changed = useChanged("channels");
  const { setFresh } = useFreshToken();
  const [values, setValues] = useState(NOTHING);
  const [faults, setFaults] = useState<Faults>({});
  const form = useAction(async () => {
    const made = await client.channels.connect.mutate(inputOf(values)).catch((error: unknown) => {
      // A rejected secret is useless, so it is cleared.
      const { field: refused } = toApiError(error);
      if (refused === "accessToken" || refused === "appSecret") {
        setValues((before) => ({ ...before, [refused]: "" }));
      }
      throw error;
    });
    setFresh(made);
    router.push(path(`/channels/${made.channelId}`));
    await changed();
  }, "The number was connected.");
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
    if (first === undefined) form.onSubmit(event);
    else event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  };
  const check = (name: "isDefault" | "alreadyInUse") => ({
    checked: values[name],
    onChange: ({ currentTarget: { checked } }: { currentTarget: { checked: boolean } }) =>
      setValues((before) => ({ ...before, [name]: checked })),
  });
  return {
    field,
    check,
    onSubmit,
    isBusy: form.isBusy,
    /** An error of the form as a whole. */
    fault: form.faultBeside(...FIELDS),
  };
}
