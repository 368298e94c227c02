"use client";

import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { type SubmitEvent, useRef, useState } from "react";
import { Refused, toApiError } from "@/app/ui/api-error";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";
import { usePath } from "../shared/viewer";
import { NumberFields } from "./connect-fields";
import {
  checkedOf,
  FIELDS,
  type Faults,
  faultsOf,
  type Field,
  inputOf,
  NOTHING,
  withoutFault,
} from "./connect-values";
import { useFreshToken } from "./fresh-token";
import { NumberChecks } from "./number-checks";
import { type CheckFailure, useNumberChecks } from "./use-number-checks";

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
  const { field, check, checks, onSubmit, onSubscribe, onSkip, isBusy, fault } = useConnectForm();
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          You need four values from Meta, and a verify token of your own. If the App Dashboard has no menu
          “WhatsApp”, open Use cases › Connect with customers through WhatsApp › Customize. Waypost checks the
          values with Meta before saving anything.
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
        {checks.states === null ? null : (
          <NumberChecks states={checks.states}>
            {checks.isOutdated ? null : (
              <Group gap="xs" mt="xs">
                <Button size="xs" disabled={isBusy} onClick={onSubscribe}>
                  Subscribe the app
                </Button>
                <Button size="xs" variant="default" disabled={isBusy} onClick={onSkip}>
                  Connect without it
                </Button>
              </Group>
            )}
          </NumberChecks>
        )}
        <Fault of={fault} />
        <DialogButtons onClose={onClose} isBusy={isBusy}>
          Connect
        </DialogButtons>
      </Stack>
    </form>
  );
}

/** The form that connects a number: its values, its errors and its submission, which opens the number's page. */
function useConnectForm() {
  const [values, setValues] = useState(NOTHING);
  const [faults, setFaults] = useState<Faults>({});
  const checks = useNumberChecks();
  const connect = useConnect(values, checks, (refused) =>
    setValues((before) => ({ ...before, [refused]: "" })),
  );
  const { form } = connect;
  const field = (name: Field) => ({
    name,
    value: values[name],
    error: faults[name] ?? form.faultAt(name),
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      setValues((before) => ({ ...before, [name]: value }));
      setFaults((before) => withoutFault(before, name));
      if (name !== "name") checks.setOutdated();
    },
  });
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const found = faultsOf(values);
    setFaults(found);
    const first = FIELDS.find((name) => found[name] !== undefined);
    if (first === undefined) connect.onSubmit(event);
    else event.currentTarget.querySelector<HTMLElement>(`[name=${first}]`)?.focus();
  };
  const check = (name: "isDefault" | "alreadyInUse") => ({
    checked: values[name],
    onChange: ({ currentTarget: { checked } }: { currentTarget: { checked: boolean } }) =>
      setValues((before) => ({ ...before, [name]: checked })),
  });
  return { ...connect, field, check, checks, onSubmit, isBusy: form.isBusy };
}

/** Steps that are left to do: all of them, or those after a missing subscription. */
type Way = "all" | "subscribe" | "skip";

/** Runs the checks and then connects the number. */
function useConnect(
  values: typeof NOTHING,
  checks: ReturnType<typeof useNumberChecks>,
  clear: (secret: "accessToken" | "appSecret") => void,
) {
  const client = useTRPCClient();
  const router = useRouter();
  const path = usePath();
  const changed = useChanged("channels");
  const { setFresh } = useFreshToken();
  const way = useRef<Way>("all");
  const [isRefusedByCheck, setIsRefusedByCheck] = useState(false);
  const pass = async () => {
    const asked = checkedOf(values);
    if (way.current === "skip") return;
    if (way.current === "subscribe") {
      const { wabaId, accessToken } = asked;
      await client.channels.subscribeApp.mutate({ wabaId, accessToken });
    }
    const failure = await checks.run(asked, way.current === "subscribe" ? "webhooks" : "token");
    if (failure === null) return;
    setIsRefusedByCheck(true);
    throw refusedBy(failure);
  };
  const perform = async () => {
    setIsRefusedByCheck(false);
    await pass();
    const made = await client.channels.connect.mutate(inputOf(values));
    setFresh(made);
    router.push(path(`/channels/${made.channelId}`));
    await changed();
  };
  const form = useAction(
    () =>
      perform().catch((error: unknown) => {
        const { field } = toApiError(error);
        // A rejected secret is useless, so it is cleared.
        if (field === "accessToken" || field === "appSecret") clear(field);
        throw error;
      }),
    "The number was connected.",
  );
  const go = (chosen: Way) => () => {
    way.current = chosen;
    form.run();
  };
  return {
    form,
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      way.current = "all";
      form.onSubmit(event);
    },
    onSubscribe: go("subscribe"),
    onSkip: go("skip"),
    /** An error of the form as a whole. A failed check shows its own. */
    fault: isRefusedByCheck ? null : form.faultBeside(...FIELDS),
  };
}

function refusedBy({ field, message, advice }: CheckFailure): Refused {
  return new Refused({ code: null, message, field, others: [], remedy: advice, requestId: null });
}
