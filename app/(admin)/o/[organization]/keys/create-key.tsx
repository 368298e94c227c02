"use client";

import { Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useContext, useEffect, useRef, useState } from "react";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault, QueryState } from "@/app/ui/query-state";
import { ClockAhead } from "@/app/ui/time";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { ChannelsField } from "../shared/channels-field";
import { useChanged } from "../shared/use-changed";
import {
  CHANNELS_DESCRIPTION,
  type Expiry,
  ExpiryField,
  type Limits,
  LimitsField,
  momentOf,
  ScopesField,
} from "./key-fields";
import type { KeyOptions, NewSecret, ScopeName } from "./types";

interface Props {
  onMade: (made: NewSecret) => void;
  onClose: () => void;
}

/** Creates a key and passes its secret on. */
export function CreateKey({ isOpen, ...props }: Props & { isOpen: boolean }) {
  const trpc = useTRPC();
  const options = useQuery({ ...trpc.keys.options.queryOptions(), enabled: isOpen });
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title="Create a key">
      <QueryState query={options}>{(known) => <CreateForm options={known} {...props} />}</QueryState>
    </Dialog>
  );
}

function CreateForm({ options, onMade, onClose }: Props & { options: KeyOptions }) {
  const client = useTRPCClient();
  const aheadMs = useContext(ClockAhead);
  const changed = useChanged("keys");
  const [values, setValues] = useState(() => initialValues(options));
  const first = useRef<HTMLInputElement>(null);
  // The dialog opens before the choices are loaded, so it has already focused an element that existed then.
  useEffect(() => first.current?.focus(), []);
  const set = (some: Partial<Values>) => setValues((before) => ({ ...before, ...some }));
  const act = useAction(async () => {
    const { name, secret } = await client.keys.create.mutate(inputOf(values, Date.now() + aheadMs));
    onMade({ keyName: name, secret, former: null });
    await changed();
  });
  return (
    <form noValidate onSubmit={act.onSubmit}>
      <Stack gap="lg">
        <TextInput
          label="Name"
          description="What uses it, such as “Shop, order notices”"
          required
          ref={first}
          autoComplete="off"
          value={values.name}
          error={act.faultAt("name")}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        <ScopesField
          options={options.scopes}
          value={values.scopes}
          error={act.faultAt("scopes")}
          onChange={(scopes) => set({ scopes })}
        />
        <ChannelsField
          description={CHANNELS_DESCRIPTION}
          value={values.channelIds}
          error={act.faultAt("channelIds")}
          onChange={(channelIds) => set({ channelIds })}
        />
        <ExpiryField
          value={values.expiry}
          error={act.faultAt("expiresInSeconds") === null ? null : "Must be a time in the future."}
          onChange={(expiry) => set({ expiry })}
        />
        <LimitsField
          value={values.limits}
          sendError={act.faultAt("sendLimit")}
          readError={act.faultAt("readLimit")}
          onChange={(limits) => set({ limits })}
        />
        <Fault
          of={act.faultBeside("name", "scopes", "channelIds", "expiresInSeconds", "sendLimit", "readLimit")}
        />
        <DialogButtons onClose={onClose} isBusy={act.isBusy}>
          Create key
        </DialogButtons>
      </Stack>
    </form>
  );
}

interface Values {
  readonly name: string;
  readonly scopes: ScopeName[];
  readonly channelIds: string[] | null;
  readonly expiry: Expiry;
  readonly limits: Limits;
}

function initialValues({ scopes, sendLimitDefault, readLimitDefault }: KeyOptions): Values {
  return {
    name: "",
    scopes: scopes.filter(({ isDefault }) => isDefault).map(({ name }) => name),
    channelIds: null,
    expiry: { choice: "never", at: "" },
    limits: { send: sendLimitDefault, read: readLimitDefault },
  };
}

function inputOf({ name, scopes, channelIds, expiry, limits }: Values, nowMs: number) {
  const moment = momentOf(expiry, nowMs);
  return {
    name,
    scopes,
    channelIds,
    expiresInSeconds: moment === null ? null : secondsUntil(moment, nowMs),
    sendLimit: Number(limits.send),
    readLimit: Number(limits.read),
  };
}

/** Returns 0, which the server refuses, if no moment was given or if it is past. */
function secondsUntil(moment: Date | undefined, nowMs: number): number {
  return moment === undefined ? 0 : Math.max(0, Math.ceil((moment.getTime() - nowMs) / 1000));
}
