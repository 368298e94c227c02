"use client";

import { useRouter } from "next/navigation";
import { type SubmitEvent, useState } from "react";
import { toApiError } from "@/app/ui/api-error";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { usePath } from "../shared/viewer";
import { FIELDS, type Faults, faultsOf, type Field, inputOf, NOTHING, withoutFault } from "./connect-values";
import { useFreshToken } from "./fresh-token";
import { useChannelsChanged } from "./use-channels-changed";

/** The form that connects a number: its values, its errors and its submission, which opens the number's page. */
export function useConnectForm() {
  const client = useTRPCClient();
  const router = useRouter();
  const path = usePath();
  const changed = useChannelsChanged();
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
