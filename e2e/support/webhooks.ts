import { z } from "zod";
import { createKey } from "./cli";
import { httpCall } from "./http-call";
import type { Waypost } from "./waypost";

/** A webhook endpoint of an organization, and a key that manages it. */
export interface WebhookEndpoint {
  readonly id: string;
  redeliver(deliveryId: string): Promise<void>;
  remove(): Promise<void>;
}

const endpointSchema = z.object({ id: z.guid() });

/** Creates one that receives everything. Its methods throw if they are refused. */
export async function addWebhookEndpoint(
  server: Waypost,
  organizationId: string,
  url: string,
): Promise<WebhookEndpoint> {
  const { secret } = await createKey(server, organizationId, { scopes: ["webhooks:manage"] });
  const call = async (method: "POST" | "DELETE", path: string, body: object, status: number) => {
    const answer = await httpCall({
      method,
      url: `${server.baseUrl}/api/public/v1/webhooks${path}`,
      headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
      body: Buffer.from(JSON.stringify(body)),
    });
    if (answer.status !== status)
      throw new Error(`The endpoint was answered ${answer.status}: ${answer.text}`);
    return answer.text;
  };
  const { id } = endpointSchema.parse(JSON.parse(await call("POST", "", { url }, 201)));
  return {
    id,
    redeliver: async (deliveryId) =>
      void (await call("POST", `/${id}/deliveries/${deliveryId}/redeliver`, {}, 202)),
    remove: async () => void (await call("DELETE", `/${id}`, {}, 204)),
  };
}
