import type { Metadata } from "next";
import { requireExisting } from "../../shared/require-existing";
import { ChannelPage } from "./channel";

export const metadata: Metadata = { title: "Channel" };

interface Params {
  readonly organization: string;
  readonly channel: string;
}

export default async function OneChannelPage({ params }: { params: Promise<Params> }) {
  const { organization, channel } = await params;
  await requireExisting(organization, ({ channels }) => channels.get({ channelId: channel }));
  return <ChannelPage channelId={channel} />;
}
