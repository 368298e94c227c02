import type { Metadata } from "next";
import { requireExisting } from "../../../shared/require-existing";

export const metadata: Metadata = { title: "Received webhook" };

interface Params {
  readonly organization: string;
  readonly received: string;
}

/** The layout shows the webhook that the URL names. */
export default async function ReceivedPage({ params }: { params: Promise<Params> }) {
  const { organization, received } = await params;
  await requireExisting(organization, ({ inbox }) => inbox.get({ receivedId: received }));
  return null;
}
