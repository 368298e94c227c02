"use client";

import { Stack, Text } from "@mantine/core";
import { useMounted } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ConfirmTyped } from "@/app/ui/confirm-typed";
import { Dialog, DialogButtons } from "@/app/ui/dialog";
import { Fault } from "@/app/ui/query-state";
import { Time } from "@/app/ui/time";
import { useTRPC, useTRPCClient } from "@/app/ui/trpc";
import { useAction } from "@/app/ui/use-action";
import { useRefetch } from "@/app/ui/use-refetch";
import { useChanged } from "../../shared/use-changed";
import { usePath } from "../../shared/viewer";
import { EndpointFields, type EndpointValues, FIELDS, valuesOf } from "../endpoint-fields";
import { nameOf, typedName } from "../names";
import type { EndpointDetail, NewSecret } from "../types";
import type { EndpointDialog } from "./endpoint";
import { ReplayForm } from "./replay-form";

interface Props {
  of: EndpointDetail;
  onClose: () => void;
}

/** The dialogs of an endpoint's page. At most one is open. */
export function EndpointDialogs({
  dialog,
  onMade,
  ...props
}: Props & { dialog: EndpointDialog | null; onMade: (made: NewSecret) => void }) {
  const { of: endpoint } = props;
  const name = nameOf(endpoint);
  // Mantine restores the focus only if the dialog was mounted before it opened.
  const isThere = useMounted();
  const open = (one: EndpointDialog) => ({ isOpen: isThere && dialog === one, onClose: props.onClose });
  return (
    <>
      <Dialog {...open("change")} title={`Change ${name}`}>
        <ChangeForm {...props} />
      </Dialog>
      <Dialog {...open("rotate")} title={`Rotate the secret of ${name}`} size="md">
        <RotateForm {...props} onMade={onMade} />
      </Dialog>
      <Dialog {...open("disable")} title={`Disable ${name}`} size="md">
        <DisableForm {...props} />
      </Dialog>
      <Dialog {...open("replay")} title="Replay events">
        <ReplayForm {...props} />
      </Dialog>
      <Dialog {...open("remove")} title={`Remove ${name}`} size="md">
        <RemoveForm {...props} />
      </Dialog>
    </>
  );
}

function RotateForm({ of: endpoint, onClose, onMade }: Props & { onMade: (made: NewSecret) => void }) {
  const client = useTRPCClient();
  const changed = useChanged("webhooks");
  const act = useAction(async () => {
    const { secret, ...rotated } = await client.webhooks.rotateSecret.mutate({ id: endpoint.id });
    onMade({ endpoint: rotated, secret });
    await changed();
  });
  const endsAt = endpoint.former_secret_ends_at;
  return (
    <form onSubmit={act.onSubmit}>
      <Stack gap="md">
        <Text>
          For 24 hours, events are signed with both the new and the current secret. Give your program the new
          secret in this time, and it won’t reject any events.
        </Text>
        {endsAt === null ? null : (
          <Text>
            The current secret is also new. The previous secret still signs events until{" "}
            <Time at={endsAt} isExact />. This doesn’t change.
          </Text>
        )}
        <Fault of={act.faultBeside()} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy} focus="on">
          Create new secret
        </DialogButtons>
      </Stack>
    </form>
  );
}

function DisableForm({ of: endpoint, onClose }: Props) {
  const client = useTRPCClient();
  const changed = useChanged("webhooks");
  const act = useAction(
    async () => {
      await client.webhooks.set.mutate({ id: endpoint.id, enabled: false });
      onClose();
      await changed();
    },
    `${nameOf(endpoint)} was disabled.`,
  );
  return (
    <form onSubmit={act.onSubmit}>
      <Stack gap="md">
        <Text>
          {endpoint.url === null
            ? "Until you enable the endpoint again, new events are kept as skipped for up to 30 days."
            : "Waypost stops sending events to your program. New and waiting events are kept as skipped for up to 30 days. You can send them when the endpoint is enabled again."}
        </Text>
        <Fault of={act.faultBeside()} />
        <DialogButtons onClose={onClose} isBusy={act.isBusy} focus="out">
          Disable endpoint
        </DialogButtons>
      </Stack>
    </form>
  );
}

function RemoveForm({ of: endpoint, onClose }: Props) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const refetch = useRefetch();
  const router = useRouter();
  const path = usePath();
  const { label, word } = typedName(endpoint);
  const act = useAction(async () => {
    await client.webhooks.remove.mutate({ id: endpoint.id });
    notifications.show({ message: `${nameOf(endpoint)} was removed.` });
    router.push(path("/webhooks"));
    // Leaves out this page's own queries: the endpoint no longer exists.
    await refetch(trpc.webhooks.list.pathFilter(), trpc.audit.pathFilter());
  });
  return (
    <Stack gap="md">
      <Text>
        {endpoint.url === null
          ? "No events can be fetched from this endpoint"
          : "No events are sent to this endpoint"}{" "}
        any more, including events from before. Its deliveries are no longer visible. This can’t be undone.
      </Text>
      <ConfirmTyped label={label} word={word} act={act} confirm="Remove endpoint" onClose={onClose} />
    </Stack>
  );
}

/** Changes an endpoint's properties. */
function ChangeForm({ of: endpoint, onClose }: { of: EndpointDetail; onClose: () => void }) {
  const client = useTRPCClient();
  const changed = useChanged("webhooks");
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
