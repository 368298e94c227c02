"use client";

import { Stack, Switch } from "@mantine/core";
import { useState } from "react";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useChanged } from "../shared/use-changed";
import { EndpointFields, FIELDS, NEW_ENDPOINT, WayField } from "./endpoint-fields";
import type { NewSecret } from "./types";

interface Props {
  onMade: (made: NewSecret) => void;
  onClose: () => void;
}

/** Creates an endpoint and passes its secret on. */
export function CreateEndpoint({ isOpen, ...props }: Props & { isOpen: boolean }) {
  return (
    <Dialog isOpen={isOpen} onClose={props.onClose} title="Add an endpoint">
      <CreateForm {...props} />
    </Dialog>
  );
}

function CreateForm({ onMade, onClose }: Props) {
  const client = useTRPCClient();
  const changed = useChanged("webhooks");
  const [values, setValues] = useState(NEW_ENDPOINT);
  const [enabled, setEnabled] = useState(true);
  const set = (some: Partial<typeof values>) => setValues((before) => ({ ...before, ...some }));
  const act = useAction(async () => {
    const { url, events, description, channelIds } = values;
    const { secret, ...endpoint } = await client.webhooks.create.mutate({
      url: url?.trim() ?? null,
      events: [...events],
      description,
      channel_ids: channelIds,
      enabled,
    });
    onMade({ endpoint, secret });
    await changed();
  });
  return (
    <form noValidate onSubmit={act.onSubmit}>
      <Stack gap="lg">
        <WayField values={values} onChange={set} />
        <EndpointFields values={values} onChange={set} faultAt={act.faultAt} />
        <Switch
          label="Enabled"
          description="While the endpoint is disabled, events are kept as skipped."
          checked={enabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
        />
        <Fault of={act.faultBeside(...FIELDS)} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy}>
          Add endpoint
        </DialogButtons>
      </Stack>
    </form>
  );
}
