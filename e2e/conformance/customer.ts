import { randomInt, randomUUID } from "node:crypto";
import { z } from "zod";
import type { Api } from "@/e2e/support/api";
import type { Demo } from "@/e2e/support/cli";
import { customerSends, fileOnPhone, phoneOf, type ShownMessage } from "@/e2e/support/simulator";
import { LONG_READ, until } from "@/e2e/support/until";
import { demoFile } from "@/server/simulator/demo-files";
import { type Given, SENT_FILES } from "./sent-contents";

type Json = Readonly<Record<string, unknown>>;

/** The server, organization and keys that a customer is met with. A `World` is one. */
export interface Scene {
  readonly server: { readonly simulatorUrl: string };
  readonly api: Api;
  readonly demo: Demo;
  readonly keys: Readonly<Record<"main" | "sibling", { readonly secret: string }>>;
}

const messageSchema = z.looseObject({
  message_id: z.guid(),
  thread_id: z.guid(),
  content: z.looseObject({ media: z.looseObject({ size: z.number().nullish() }).optional() }),
  reply_to: z.object({ message_id: z.guid().nullable(), upstream_id: z.string().nullable() }).nullable(),
  delivery_state: z.string().nullable(),
});
export type ReadMessage = z.infer<typeof messageSchema>;

/** A customer who has just written, seen from both ends. */
export interface Customer {
  readonly handle: string;
  /** The customer's first message, by WhatsApp's id and by ours. */
  readonly first: { readonly upstreamId: string; readonly messageId: string };
  /** Sends a message to the customer. Returns its id once the request is accepted. */
  send(content: Json): Promise<string>;
  /** The customer sends a message. Returns WhatsApp's id of it. */
  write(type: string, content: object, quotes?: string): Promise<string>;
  /** Returns what the customer's phone shows. */
  phone(): Promise<readonly ShownMessage[]>;
  /** Returns the bytes of a file on the phone. */
  file(id: string): Promise<Buffer>;
  /** Waits until the phone shows that many messages of the business, and returns the last one. */
  untilShown(count: number): Promise<ShownMessage>;
  read(messageId: string): Promise<ReadMessage>;
  /** Returns the customer's messages, the latest first. */
  received(): Promise<readonly ReadMessage[]>;
}

/** Creates a customer who writes to the demo's default channel. */
export async function newCustomer({ server, api, demo, keys }: Scene): Promise<Customer> {
  const { simulatorUrl } = server;
  const key = keys.main.secret;
  const handle = `49151${randomInt(1e6, 9e6)}`;
  const number = { phoneNumberId: demo.phone_number_ids.default, from: handle };
  const write: Customer["write"] = (type, content, quotes) =>
    customerSends(simulatorUrl, { ...number, type, content, quotes });
  const phone = () => phoneOf(simulatorUrl, number);
  const upstreamId = await write("text", { body: "Hello" });
  const first = await until(
    "the customer's first message is received",
    async () => {
      const { text } = await api.call({ path: `/messages?direction=inbound&to=${handle}`, key });
      return z.object({ data: z.array(messageSchema) }).parse(JSON.parse(text)).data[0];
    },
    LONG_READ,
  );
  return {
    handle,
    first: { upstreamId, messageId: first.message_id },
    async send(content) {
      const to = { kind: "whatsapp", handle };
      const json = { client_message_id: randomUUID(), to, ...content };
      const { status, text } = await api.call({ path: "/messages", key, json });
      if (status !== 201) throw new Error(`The message was answered ${status}: ${text}`);
      return JSON.parse(text).message_id;
    },
    write,
    phone,
    file: (id) => fileOnPhone(simulatorUrl, { ...number, id }),
    untilShown: (count) =>
      until(
        "the phone shows the message",
        async () => (await phone()).filter(({ from }) => from === "business")[count - 1],
        LONG_READ,
      ),
    async read(messageId) {
      const { text } = await api.call({ path: `/messages/${messageId}`, key });
      return messageSchema.parse(JSON.parse(text));
    },
    async received() {
      const path = `/messages?direction=inbound&limit=100&thread_id=${first.thread_id}`;
      const { text } = await api.call({ path, key });
      return z.object({ data: z.array(messageSchema) }).parse(JSON.parse(text)).data;
    },
  };
}

const uploadsOf = new WeakMap<Demo, Promise<Given["uploads"]>>();

/** Returns the ids that a content may refer to. Uploads a file of each type, once for all scenarios. */
export async function givenTo(scene: Scene, messageId: string): Promise<Given> {
  const { demo } = scene;
  const uploading = uploadsOf.get(demo) ?? uploadFiles(scene);
  uploadsOf.set(demo, uploading);
  return { messageId, uploads: await uploading, templates: demo.templates };
}

async function uploadFiles({ api, keys }: Scene): Promise<Given["uploads"]> {
  const uploading = Object.entries(SENT_FILES).map(async ([type, mimeType]) => {
    const headers = { "Content-Type": mimeType };
    const request = { path: "/uploads", key: keys.sibling.secret, raw: demoFile(mimeType), headers };
    const { status, text } = await api.call(request);
    if (status !== 201) throw new Error(`The upload was answered ${status}: ${text}`);
    return [type, JSON.parse(text).storage_key];
  });
  return Object.fromEntries(await Promise.all(uploading));
}
