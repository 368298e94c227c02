import type { Metadata } from "next";
import { requireExisting } from "../../shared/require-existing";

export const metadata: Metadata = { title: "Message" };

interface Params {
  readonly organization: string;
  readonly message: string;
}

/** The layout shows the message that the URL names. */
export default async function MessagePage({ params }: { params: Promise<Params> }) {
  const { organization, message } = await params;
  await requireExisting(organization, ({ messages }) => messages.get({ id: message }));
  return null;
}
