import type { Metadata } from "next";
import { ChannelPage } from "./channel";

export const metadata: Metadata = { title: "Channel" };

export default async function OneChannelPage({ params }: { params: Promise<{ channel: string }> }) {
  const { channel } = await params;
  return <ChannelPage channelId={channel} />;
}
