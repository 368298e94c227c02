import type { Metadata } from "next";
import { requireExisting } from "../../../../shared/require-existing";

export const metadata: Metadata = { title: "Webhook delivery" };

interface Params {
  readonly organization: string;
  readonly webhook: string;
  readonly delivery: string;
}

/** The layout shows the delivery that the URL names. */
export default async function DeliveryPage({ params }: { params: Promise<Params> }) {
  const { organization, webhook, delivery } = await params;
  await requireExisting(organization, ({ webhooks }) =>
    webhooks.inspectDelivery({ id: webhook, delivery_id: delivery }),
  );
  return null;
}
