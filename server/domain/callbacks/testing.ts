import { createHmac } from "node:crypto";
import type { Services } from "@/server/core/context";
import { channelsWithCallbacksDue } from "./due";
import { takeCallback } from "@/server/edge/callbacks/intake";
import { processCallbacks } from "./process";

/** The app secret of `connectTestChannel`. */
const TEST_APP_SECRET = "test-app-secret";

/** A callback as Meta sends it: entries with changes of one number. */
export function callback(phoneNumberId: string, ...values: object[]): object {
  return callbackOf("messages", phoneNumberId, ...values);
}

/** The same for another field. */
export function callbackOf(field: string, phoneNumberId: string, ...values: object[]): object {
  const metadata = { display_phone_number: "15550100", phone_number_id: phoneNumberId };
  const changes = values.map((value) => ({
    field,
    value: { messaging_product: "whatsapp", metadata, ...value },
  }));
  return { object: "whatsapp_business_account", entry: [{ id: "1", changes }] };
}

export function status(kind: string, wamid: string, fields: object = {}): object {
  return { id: wamid, status: kind, timestamp: nowSeconds(), recipient_id: "4915100000000", ...fields };
}

export function inbound(from: string, wamid: string, fields: object = {}): object {
  return {
    contacts: [{ profile: { name: "Customer" }, wa_id: from }],
    messages: [
      { from, id: wamid, timestamp: nowSeconds(), type: "text", text: { body: "Hello" }, ...fields },
    ],
  };
}

/** Processes all due callbacks of all channels, as the jobs do. */
export async function processDue(services: Services): Promise<void> {
  const channelIds = await channelsWithCallbacksDue(services);
  await Promise.all(channelIds.map((channelId) => processCallbacks(services, channelId)));
}

export const bytesOf = (body: object): Buffer => Buffer.from(JSON.stringify(body));

export const signatureOf = (bytes: Uint8Array, appSecret = TEST_APP_SECRET): string =>
  `sha256=${createHmac("sha256", appSecret).update(bytes).digest("hex")}`;

/** Posts bytes to the channel's callback address. */
export async function post(
  services: Services,
  channelId: string,
  bytes: Uint8Array,
  signature: string | null = signatureOf(bytes),
): Promise<number> {
  const response = await takeCallback(services, channelId, {
    method: "POST",
    query: new URLSearchParams(),
    header: (name) => (name === "x-hub-signature-256" ? signature : null),
    async *body() {
      yield bytes;
    },
  });
  return response.status;
}

function nowSeconds(): string {
  return String(Math.floor(Date.now() / 1000));
}

/** A body with the name nested at the given depth within arrays. */
export const nestedAround = (name: string, depth: number): Buffer =>
  Buffer.from(`{"entry":[{"changes":[${"[".repeat(depth)}"${name}"${"]".repeat(depth)}]}]}`);
