import type { Metadata } from "next";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { getRuntime } from "@/app/runtime";
import { ContactPage } from "./contact";

export const metadata: Metadata = { title: "Contact" };

interface Params {
  readonly organization: string;
  readonly contact: string;
}

export default async function OneContactPage({ params }: { params: Promise<Params> }) {
  const { organization, contact } = await params;
  const runtime = await getRuntime();
  const caller = await runtime.pageCaller(await headers(), organization);
  // Any other refusal the page itself shows, with what to do.
  const isMissing = await caller.contacts.get({ contactId: contact }).then(() => false, saysNotFound);
  if (isMissing) notFound();
  return <ContactPage contactId={contact} />;
}

function saysNotFound(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "NOT_FOUND";
}
