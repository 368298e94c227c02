"use client";

import { Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useContext, useState } from "react";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { ClockAhead } from "@/app/ui/time";
import { localSpelling } from "@/app/ui/time-range";
import { useTRPCClient } from "@/app/ui/trpc";
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
} from "./key-fields";
import type { KeyDetail } from "./types";

interface Props {
  of: KeyDetail;
  onClose: () => void;
}

/** Changes those properties of a key that don't need a new secret. */
export function ChangeKey({ isOpen, ...props }: Props & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title={`Change ${props.of.name}`}>
      <ChangeForm {...props} />
    </Dialog>
  );
}

function ChangeForm({ of: key, onClose }: Props) {
  const client = useTRPCClient();
  const aheadMs = useContext(ClockAhead);
  const changed = useChanged("keys");
  const [before] = useState(() => valuesOf(key));
  const [values, setValues] = useState(before);
  const set = (some: Partial<Values>) => setValues((earlier) => ({ ...earlier, ...some }));
  const act = useAction(async () => {
    const changes = changesOf(before, values, Date.now() + aheadMs);
    if (Object.keys(changes).length > 0) {
      const { name } = await client.keys.set.mutate({ keyId: key.id, ...changes });
      notifications.show({ message: `${name} was changed. The change applies from the next request.` });
    }
    onClose();
    await changed();
  });
  return (
    <form noValidate onSubmit={act.onSubmit}>
      <Stack gap="lg">
        <TextInput
          label="Name"
          required
          data-autofocus
          autoComplete="off"
          value={values.name}
          error={act.faultAt("name")}
          onChange={(event) => set({ name: event.currentTarget.value })}
        />
        {key.status === "live" ? (
          <ExpiryField
            value={values.expiry}
            error={act.faultAt("expiresAt")}
            onChange={(expiry) => set({ expiry })}
          />
        ) : null}
        <ChannelsField
          description={CHANNELS_DESCRIPTION}
          value={values.channelIds}
          error={act.faultAt("channelIds")}
          onChange={(channelIds) => set({ channelIds })}
        />
        <LimitsField
          value={values.limits}
          sendError={act.faultAt("sendLimit")}
          readError={act.faultAt("readLimit")}
          onChange={(limits) => set({ limits })}
        />
        <Fault of={act.faultBeside("name", "expiresAt", "channelIds", "sendLimit", "readLimit")} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy}>
          Save
        </DialogButtons>
      </Stack>
    </form>
  );
}

interface Values {
  readonly name: string;
  readonly expiry: Expiry;
  readonly channelIds: string[] | null;
  readonly limits: Limits;
}

function valuesOf({ name, expiresAt, channelIds, sendLimit, readLimit }: KeyDetail): Values {
  return {
    name,
    expiry:
      expiresAt === null
        ? { choice: "never", at: "" }
        : { choice: "at", at: localSpelling(new Date(expiresAt)) },
    channelIds: channelIds === null ? null : [...channelIds],
    limits: { send: sendLimit, read: readLimit },
  };
}

/**
 * Returns only the fields that the user changed, so that a form opened before somebody else's change doesn't undo it.
 * An unchanged expiry keeps its seconds.
 */
function changesOf(before: Values, after: Values, nowMs: number) {
  const isTouched = (name: keyof Values) => JSON.stringify(after[name]) !== JSON.stringify(before[name]);
  const moment = momentOf(after.expiry, nowMs);
  return {
    ...(isTouched("name") && { name: after.name }),
    ...(isTouched("channelIds") && { channelIds: after.channelIds }),
    ...(after.limits.send !== before.limits.send && { sendLimit: Number(after.limits.send) }),
    ...(after.limits.read !== before.limits.read && { readLimit: Number(after.limits.read) }),
    ...(isTouched("expiry") && { expiresAt: moment === undefined ? "" : (moment?.toISOString() ?? null) }),
  };
}
