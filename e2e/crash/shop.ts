import { z } from "zod";
import type { Sql } from "@/db/client";
import { createKey, demo, type Demo } from "@/e2e/support/cli";
import { httpCall } from "@/e2e/support/http-call";
import { customerWrites } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import type { Waypost } from "@/e2e/support/waypost";
import { addWebhookEndpoint } from "@/e2e/support/webhooks";
import { SAMPLES } from "@/server/domain/uploads/testing";
import type { Contents } from "./mix";
import type { CrashReceiver } from "./receiver";

const LIMIT_MAX = 1_000_000;
const WRITING_MAX = 16;

/** An organization that sends texts, pictures and templates on two channels, with a key that no limit affects. */
export interface Shop {
  readonly secret: string;
  readonly template: Demo["templates"]["approved"];
  readonly channels: Readonly<Record<"main" | "second", ShopChannel>>;
  /** The webhook endpoint that receives everything. */
  readonly endpointId: string;
}

interface ShopChannel {
  readonly id: string;
  readonly phoneNumberId: string;
}

export async function openShop(server: Waypost, receiver: CrashReceiver): Promise<Shop> {
  const organization = await demo(server);
  const endpoint = await addWebhookEndpoint(server, organization.organization_id, receiver.url);
  const limits = { sendLimit: LIMIT_MAX, readLimit: LIMIT_MAX };
  const { secret } = await createKey(server, organization.organization_id, limits);
  const channel = (name: "default" | "second") => ({
    id: organization.channels[name],
    phoneNumberId: organization.phone_number_ids[name],
  });
  const channels = { main: channel("default"), second: channel("second") };
  return { secret, template: organization.templates.approved, channels, endpointId: endpoint.id };
}

const uploadSchema = z.object({ storage_key: z.string() });

/** Creates the contents of the shop's messages, for each type, with a picture that the upstream doesn't have yet. */
export async function newContents({ secret, template }: Shop, server: Waypost): Promise<Contents> {
  const answer = await httpCall({
    method: "POST",
    url: `${server.baseUrl}/api/public/v1/uploads`,
    headers: { Authorization: `Bearer ${secret}`, "Content-Type": "image/png", "X-Filename": "picture.png" },
    body: SAMPLES.png,
  });
  const { storage_key } = uploadSchema.parse(JSON.parse(answer.text));
  const { template_submission_id, variables } = template;
  const text = (body: string) => ({ type: "text", text: { body } });
  return [
    text,
    (body) => ({ type: "image", media: { storage_key }, text: { body } }),
    text,
    () => ({ type: "template", template: { template_submission_id, variables } }),
    text,
  ];
}

/** The customers write to the channel; resolves when each can be written to. */
export async function customersWrite(
  sql: Sql,
  simulatorUrl: string,
  { id, phoneNumberId }: ShopChannel,
  handles: readonly string[],
): Promise<void> {
  const left = handles.values();
  async function write(): Promise<void> {
    for (const from of left) await customerWrites(simulatorUrl, { phoneNumberId, from, body: "Hello" });
  }
  await Promise.all(Array.from({ length: WRITING_MAX }, write));
  const areOpen = async () => {
    const [row] = await sql<{ open: number }[]>`
      select count(*)::int as open from contact_identities i
      join conversations v on v.contact_id = i.contact_id and v.organization_id = i.organization_id
      where v.channel_id = ${id} and v.last_inbound_at is not null and i.handle = any(${[...handles]}::text[])`;
    return row?.open === handles.length;
  };
  await until("all customers can be written to", areOpen, { intervalMs: 50 });
}
