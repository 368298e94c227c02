import type { inferOutput } from "@trpc/tanstack-react-query";
import type { Procedures } from "@/app/ui/trpc";

export type Endpoint = inferOutput<Procedures["webhooks"]["list"]>["data"][number];
export type EndpointDetail = inferOutput<Procedures["webhooks"]["inspect"]>;
export type Delivery = inferOutput<Procedures["webhooks"]["deliveries"]>["data"][number];
export type Attempt = Delivery["attempts"][number];
export type EventType = Delivery["type"];
/** The event types that an endpoint can choose. */
export type ChosenType = Exclude<EventType, "webhook.test">;
export type DeliveryState = Delivery["state"];
export type ErrorClass = NonNullable<Attempt["error_class"]>;

/** A new secret, kept while its dialog is open. */
export interface NewSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}
