"use client";

import { Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { DialogButtons } from "@/app/ui/dialog-buttons";
import { Fault } from "@/app/ui/fault";
import { useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { EndpointFields, type EndpointValues, FIELDS, valuesOf } from "../endpoint-fields";
import { nameOf } from "../names";
import type { EndpointDetail } from "../types";
import { useWebhooksChanged } from "../use-webhooks-changed";

/** Changes an endpoint's properties. */
export function ChangeForm({ of: endpoint, onClose }: { of: EndpointDetail; onClose: () => void }) {
  const client = useTRPCClient();
  const changed = useWebhooksChanged();
  const [before] = useState(() => valuesOf(endpoint));
  const [values, setValues] = useState(before);
  const act = useAction(async () => {
    const changes = changesOf(before, values);
    if (Object.keys(changes).length > 0) {
      const set = await client.webhooks.set.mutate({ id: endpoint.id, ...changes });
      notifications.show({ message: `${nameOf(set)} was changed.` });
    }
    onClose();
    await changed();
  });
  return (
    <form noValidate onSubmit={act.onSubmit}>
      <Stack gap="lg">
        <EndpointFields
          values={values}
          onChange={(some) => setValues((earlier) => ({ ...earlier, ...some }))}
          faultAt={act.faultAt}
        />
        <Fault of={act.faultBeside(...FIELDS)} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy}>
          Save
        </DialogButtons>
      </Stack>
    </form>
  );
}

/**
 * Returns only the fields that the user changed, so that a form opened before somebody else's change doesn't undo it.
 */
function changesOf(before: EndpointValues, after: EndpointValues) {
  const isTouched = (name: keyof EndpointValues) =>
    JSON.stringify(after[name]) !== JSON.stringify(before[name]);
  return {
    ...(isTouched("url") && { url: after.url?.trim() ?? null }),
    ...(isTouched("events") && { events: [...after.events] }),
    ...(isTouched("description") && { description: after.description }),
    ...(isTouched("channelIds") && { channel_ids: after.channelIds }),
  };
}
