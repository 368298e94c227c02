import { randomInt, randomUUID } from "node:crypto";
import { z } from "zod";
import { createKey, demo } from "./cli";
import { httpCall } from "./http-call";
import { customerWrites } from "./simulator";
import { until } from "./until";
import type { Waypost } from "./waypost";

const LIMIT_MAX = 1_000_000;
/** The simulator reserves numbers ending in 99NNN for special outcomes. */
const ENDINGS = 99_000;

/** An organization whose customers can all be written to. */
export interface Customers {
  readonly organizationId: string;
  /** The owner's credentials. */
  readonly signIn: { readonly email: string; readonly password: string };
  /** An API key whose rate limit is never reached. */
  readonly secret: string;
  readonly handles: readonly string[];
  /** The channel that they write to. */
  readonly channelId: string;
  readonly phoneNumberId: string;
}

/**
 * Creates a demo organization to whose default channel that many customers have just written. It has no webhook
 * endpoint, so that tests with many messages don't also fill the demo's inbox.
 */
export async function makeCustomers(server: Waypost, count: number): Promise<Customers> {
  const organization = await demo(server);
  const limits = { sendLimit: LIMIT_MAX, readLimit: LIMIT_MAX };
  const { secret } = await createKey(server, organization.organization_id, limits);
  await removeEndpoints(server, organization.organization_id);
  const phoneNumberId = organization.phone_number_ids.default;
  const block = randomInt(100, 900);
  const first = randomInt(ENDINGS - count);
  const handles = Array.from(
    { length: count },
    (_, index) => `4915${block}${String(first + index).padStart(5, "0")}`,
  );
  for (const from of handles) {
    await customerWrites(server.simulatorUrl, { phoneNumberId, from, body: "Where is my parcel?" });
  }
  for (const handle of handles) {
    const isOpen = () => isAccepted(server, secret, handle);
    await until(`${handle} can be written to`, isOpen);
  }
  return {
    organizationId: organization.organization_id,
    signIn: organization.sign_in,
    secret,
    handles,
    channelId: organization.channels.default,
    phoneNumberId,
  };
}

async function removeEndpoints(server: Waypost, organizationId: string): Promise<void> {
  const { secret } = await createKey(server, organizationId, { scopes: ["webhooks:manage"] });
  const url = `${server.baseUrl}/api/public/v1/webhooks`;
  const headers = { Authorization: `Bearer ${secret}` };
  const listed = await httpCall({ method: "GET", url, headers });
  const { data } = z.object({ data: z.array(z.object({ id: z.guid() })) }).parse(JSON.parse(listed.text));
  for (const { id } of data) await httpCall({ method: "DELETE", url: `${url}/${id}`, headers });
}

/** False while the customer window isn't known to be open. */
async function isAccepted({ baseUrl }: Waypost, secret: string, handle: string): Promise<boolean> {
  const answer = await httpCall({
    method: "POST",
    url: `${baseUrl}/api/public/v1/messages`,
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
    body: Buffer.from(
      JSON.stringify({
        client_message_id: randomUUID(),
        type: "text",
        to: { kind: "whatsapp", handle },
        text: { body: "Hello" },
      }),
    ),
  });
  if (answer.status === 201) return true;
  if (answer.status === 422) return false;
  throw new Error(`A first message was answered ${answer.status}: ${answer.text}`);
}
