import type { Metadata } from "next";
import type { ReactNode } from "react";
import { OnlyFor } from "../../shared/only-for";
import { requireExisting } from "../../shared/require-existing";
import { EndpointPage } from "./endpoint";

export const metadata: Metadata = { title: "Webhook endpoint" };

interface Params {
  readonly organization: string;
  readonly webhook: string;
}

/** The endpoint's page keeps its state while one of its deliveries is opened and closed. */
export default async function EndpointLayout({
  params,
  children,
}: {
  params: Promise<Params>;
  children: ReactNode;
}) {
  const { organization, webhook } = await params;
  await requireExisting(organization, ({ webhooks }) => webhooks.get({ id: webhook }));
  return (
    <OnlyFor capability="webhooks.manage" title="Webhook endpoint">
      <EndpointPage endpointId={webhook} />
      {children}
    </OnlyFor>
  );
}
