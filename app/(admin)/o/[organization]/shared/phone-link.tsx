"use client";

import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { PageLink } from "@/app/ui/page-link";
import { useTRPC } from "@/app/ui/trpc";
import { InlineLink } from "./inline-link";
import { STALE_AFTER_A_MINUTE } from "./use-choices";
import { useMay, usePath } from "./viewer";

interface Phone {
  readonly channelIds: readonly string[];
  /** Null if the customer has no number. */
  readonly number: string | null;
}

/** Returns the page of the customer’s phone on the first of the channels that is simulated; null if none is. */
function usePhonePath({ channelIds, number }: Phone): `/${string}` | null {
  const trpc = useTRPC();
  const enabled = useMay()("messages.read") && number !== null;
  const { data } = useQuery(trpc.phone.choices.queryOptions(undefined, { ...STALE_AFTER_A_MINUTE, enabled }));
  const channelId = channelIds.find((id) => data?.channels.some((channel) => channel.id === id));
  return channelId === undefined || number === null ? null : `/phone/${channelId}/${number}`;
}

const LABEL = "Customer’s phone";

/** A link in a text to the customer’s phone. Nothing if no channel is simulated. */
export function InlinePhoneLink(phone: Phone) {
  const to = usePhonePath(phone);
  return to === null ? null : <InlineLink to={to}>{LABEL}</InlineLink>;
}

/** The same as a button. */
export function PhoneButton(phone: Phone) {
  const to = usePhonePath(phone);
  return to === null ? null : <KnownPhoneButton to={to} />;
}

/** A button that leads to a phone which is known to exist. */
export function KnownPhoneButton({ to, size }: { to: `/${string}`; size?: "xs" }) {
  const path = usePath();
  return (
    <Button variant="default" component={PageLink} href={path(to)} size={size} flex="none">
      {LABEL}
    </Button>
  );
}
