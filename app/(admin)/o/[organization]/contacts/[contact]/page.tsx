import type { Metadata } from "next";
import { requireExisting } from "../../shared/require-existing";
import { ContactPage } from "./contact";

export const metadata: Metadata = { title: "Contact" };

interface Params {
  readonly organization: string;
  readonly contact: string;
}

export default async function OneContactPage({ params }: { params: Promise<Params> }) {
  const { organization, contact } = await params;
  await requireExisting(organization, ({ contacts }) => contacts.inspect({ contactId: contact }));
  return <ContactPage contactId={contact} />;
}
