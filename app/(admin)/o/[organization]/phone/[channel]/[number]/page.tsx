import type { Metadata } from "next";
import { requireExisting } from "../../../shared/require-existing";
import { OnlyFor } from "../../../shared/only-for";
import { CustomersPhone } from "./customers-phone";

export const metadata: Metadata = { title: "Customer’s phone" };

interface Params {
  readonly organization: string;
  readonly channel: string;
  readonly number: string;
}

export default async function OnePhonePage({ params }: { params: Promise<Params> }) {
  const { organization, channel, number } = await params;
  await requireExisting(organization, ({ channels }) => channels.get({ channelId: channel }));
  return (
    <OnlyFor capability="messages.read" title="Customer’s phone">
      <CustomersPhone channelId={channel} customer={decodeURIComponent(number)} />
    </OnlyFor>
  );
}
