import type { Metadata } from "next";
import { requireExisting } from "../../shared/require-existing";

export const metadata: Metadata = { title: "Conversation" };

interface Params {
  readonly organization: string;
  readonly conversation: string;
}

/** The layout shows the conversation that the URL names. */
export default async function ConversationPage({ params }: { params: Promise<Params> }) {
  const { organization, conversation } = await params;
  await requireExisting(organization, ({ conversations }) => conversations.get({ threadId: conversation }));
  return null;
}
