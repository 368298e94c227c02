import { createServer, type IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createKey, demo, type Demo } from "@/e2e/support/cli";
import { askSharedServer, type SharedServer } from "@/e2e/support/shared-server";
import { ledgerEntriesOf } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import {
  type Event,
  type SendTextMessage,
  verifyWebhook,
  Waypost,
  WaypostError,
} from "@/server/client/index";
import { closeServer, listen } from "@/server/edge/http/listen";

const PDF = new TextEncoder().encode("%PDF-1.4\n%%EOF\n");

let server: SharedServer;
let organization: Demo;
let waypost: Waypost;

beforeAll(async () => {
  server = await askSharedServer();
  organization = await demo(server);
  waypost = clientWith(organization.api_key.secret);
});

const clientWith = (apiKey: string) => new Waypost({ apiKey, baseUrl: server.baseUrl });
const textOf = (id: string, handle = organization.contacts.open_window.handle): SendTextMessage => ({
  client_message_id: id,
  type: "text",
  to: { kind: "whatsapp", handle },
  text: { body: "Your parcel is on its way." },
});

/** Returns the refusal of a call. */
async function refusalOf(call: Promise<unknown>): Promise<WaypostError> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof WaypostError) return error;
  throw new Error("It wasn't refused", { cause: error });
}

test("the key is checked", async () => {
  expect(await waypost.ping()).toMatchObject({ ok: true, organization_id: organization.organization_id });
  const error = await refusalOf(clientWith("ak_live_unknown").ping());
  expect(error).toMatchObject({ code: "invalid_api_key", status: 401, resend: "never" });
  expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(error.docUrl).toBe(`${server.baseUrl}/docs/errors#invalid_api_key`);
});

describe("a message", () => {
  test("is sent once, however often the request is repeated", async () => {
    const [sent, ...others] = await Promise.all([1, 2, 3].map(() => waypost.messages.send(textOf("once"))));
    expect(others.map(({ message_id }) => message_id)).toEqual([sent?.message_id, sent?.message_id]);
    const id = sent?.message_id ?? "";
    await until("it is sent", async () => (await waypost.messages.get(id)).sent_at);
    expect(await ledgerEntriesOf(server.simulatorUrl, id)).toHaveLength(1);
    const repeated = await waypost.messages.send(textOf("once"));
    expect(repeated).toMatchObject({ message_id: id, deduplicated: true });
  });

  test("is sent once if the answer to the first request is lost", async () => {
    let isLost = false;
    const losing: typeof fetch = async (...args) => {
      const response = await fetch(...args);
      if (isLost) return response;
      isLost = true;
      throw new TypeError("fetch failed", {
        cause: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
      });
    };
    const client = new Waypost({
      apiKey: organization.api_key.secret,
      baseUrl: server.baseUrl,
      fetch: losing,
    });
    const sent = await client.messages.send(textOf("lost-answer"));
    expect(sent.deduplicated).toBe(true);
  });

  test("is refused with the reason, and what to do", async () => {
    const { handle } = organization.contacts.closed_window;
    expect(await refusalOf(waypost.messages.send(textOf("closed", handle)))).toMatchObject({
      code: "outside_customer_window",
      operation: "sendMessage",
      resend: expect.any(String),
    });
    const invalid = { ...textOf("invalid"), text: { body: "" } };
    expect(await refusalOf(waypost.messages.send(invalid))).toMatchObject({
      field: "text.body",
      status: 400,
    });
    await waypost.messages.send(textOf("other body"));
    const other = { ...textOf("other body"), text: { body: "Another" } };
    expect(await refusalOf(waypost.messages.send(other))).toMatchObject({ code: "idempotency_key_reused" });
  });

  test("beyond the rate limit is refused with the time to wait, if that is too long", async () => {
    const { secret } = await createKey(server, organization.organization_id, { sendLimit: 1 });
    const limited = clientWith(secret);
    await limited.messages.send(textOf("limit-1"));
    const call = limited.messages.send(textOf("limit-2"), { retryBudgetMs: 1_000 });
    const { code, retryAfterMs } = await refusalOf(call);
    expect(code).toBe("rate_limited");
    expect(retryAfterMs).toBeGreaterThan(1_000);
    expect(retryAfterMs).toBeLessThanOrEqual(61_000);
  });
});

describe("lists", () => {
  test("of messages come page by page, and whole", async () => {
    const ids = Array.from({ length: 5 }, (_, place) => `list-${place}`);
    const since = new Date();
    for (const id of ids) await waypost.messages.send(textOf(id));
    const listed = [];
    for await (const { client_message_id } of waypost.messages.list({ since, limit: 2 }))
      listed.push(client_message_id);
    expect(listed).toEqual(ids.toReversed());
    const { data, next_cursor: cursor } = await waypost.messages.list({ since, limit: 2 }).page();
    expect(data).toHaveLength(2);
    const next = await waypost.messages.list({ since, limit: 2, cursor: cursor ?? undefined });
    expect(next.data[0]?.client_message_id).toBe("list-2");
  });

  test("of messages can be of several states, of a customer, and by change", async () => {
    const { contact_id: contactId, thread_id: threadId, handle } = organization.contacts.open_window;
    const query = { direction: "any", contact_id: contactId, thread_id: threadId, to: `+${handle}` } as const;
    const { data } = await waypost.messages.list(query);
    expect(new Set(data.map(({ thread_id }) => thread_id))).toEqual(new Set([threadId]));
    const states = await waypost.messages.list({ state: ["failed", "read"] });
    expect(states.data.every(({ delivery_state: state }) => state === "failed" || state === "read")).toBe(
      true,
    );
    for await (const { direction } of waypost.messages.list({ updated_since: new Date(), limit: 1 }))
      expect(direction).toBe("outbound");
  });

  test("of conversations and contacts can be awaited, and a contact changed", async () => {
    const { contact_id: contactId, thread_id: threadId } = organization.contacts.open_window;
    const thread = await waypost.threads.get(threadId);
    expect(thread.contact_id).toBe(contactId);
    expect((await waypost.threads.list({ contact_id: contactId })).data).toEqual([thread]);
    const contact = await waypost.contacts.get(contactId);
    expect((await waypost.contacts.list({ limit: 100 })).data).toContainEqual(contact);
    const renamed = await waypost.contacts.update(contactId, { name: "Grace Hopper" });
    expect(renamed).toEqual({ ...contact, name: "Grace Hopper" });
  });

  test("of channels and templates can be awaited and filtered", async () => {
    const { data } = await waypost.channels.list();
    expect(data.map(({ id }) => id)).toContain(organization.channels.default);
    const names = [];
    for await (const { name } of waypost.templates.list({ state: "approved" })) names.push(name);
    expect(names).toContain(organization.templates.approved.name);
  });
});

describe("a file", () => {
  test("of which a stream is uploaded can be sent", async () => {
    const stream = Readable.from([Buffer.from(PDF)]);
    const upload = await waypost.uploads.create(stream, {
      contentType: "application/pdf",
      filename: "Größe.pdf",
    });
    expect(upload).toMatchObject({ mime_type: "application/pdf", size: PDF.length });
    const sent = await waypost.messages.send({
      client_message_id: "file",
      type: "document",
      thread_id: organization.contacts.open_window.thread_id,
      media: { storage_key: upload.storage_key },
    });
    await until("it is sent", async () => (await waypost.messages.get(sent.message_id)).sent_at);
    const [entry] = await ledgerEntriesOf(server.simulatorUrl, sent.message_id);
    expect(entry).toMatchObject({ type: "document", body: { filename: "Größe.pdf" } });
  });

  test("is refused while it is being read, and its stream is closed", async () => {
    const endless = new Readable({ read: () => void endless.push(Buffer.alloc(65_536)) });
    const error = await refusalOf(clientWith("ak_live_unknown").uploads.create(endless));
    expect(error).toMatchObject({ code: "invalid_api_key" });
    await until("the stream is closed", () => endless.destroyed);
  });
});

describe("webhooks", () => {
  const received: Event[] = [];
  const secrets: string[] = [];
  let url: string;
  const receive = async (request: IncomingMessage) => {
    const event = await verifyWebhook(await buffer(request), request.headers, secrets);
    received.push(event);
  };
  const receiver = createServer((request, response) => {
    receive(request).then(
      () => response.writeHead(204).end(),
      () => response.writeHead(400).end(),
    );
  });

  beforeAll(async () => {
    const port = await listen(receiver, await server.receiverPort(), "127.0.0.1");
    url = `http://127.0.0.1:${port}/`;
  });
  afterAll(() => closeServer(receiver));

  test("that Waypost posts are verified, also while the secret is changed, and can be sent again", async () => {
    const { id, secret } = await waypost.webhooks.create({ url, events: ["message.delivered"] });
    expect(await waypost.webhooks.test(id)).toMatchObject({ state: "failed", http_status: 400 });
    secrets.push(secret);
    expect(await waypost.webhooks.test(id)).toMatchObject({ state: "delivered", http_status: 204 });
    const { secret: renewed } = await waypost.webhooks.rotateSecret(id);
    expect(await waypost.webhooks.test(id)).toMatchObject({ state: "delivered" });
    secrets.splice(0, 1, renewed);
    const { message_id } = await waypost.messages.send(textOf("webhook"));
    const delivered = () => received.filter(({ type }) => type === "message.delivered");
    const event = await until("it is delivered", () => delivered()[0]);
    expect(event).toMatchObject({ data: { message_id, client_message_id: "webhook" } });

    const [delivery] = (await waypost.webhooks.deliveries(id, { message_id })).data;
    await until("the delivery is stored", async () =>
      (await waypost.webhooks.deliveries(id, { message_id, state: "delivered" })).data.at(0),
    );
    expect(await waypost.webhooks.redeliver(id, delivery?.id ?? "")).toMatchObject({ event_id: event.id });
    await until("it is delivered again", () => delivered().length === 2);
    expect(delivered()[1]).toEqual(event);
    const since = new Date(Date.now() - 60_000);
    const replay = await waypost.webhooks.replay(id, { since, only: "failed" });
    expect(replay).toMatchObject({ dry_run: false, count: 0, replay_id: expect.any(String) });
    const unsafe = waypost.webhooks.replay(id, { since, only: "all" });
    expect(await refusalOf(unsafe)).toMatchObject({ field: "replay_id" });
  });

  test("are managed", async () => {
    const { id } = await waypost.webhooks.create({ url: null, description: "Pull" });
    expect(await waypost.webhooks.update(id, { enabled: false })).toMatchObject({ enabled: false });
    expect(await waypost.webhooks.get(id)).toMatchObject({ id, enabled: false, description: "Pull" });
    const listed = [];
    for await (const endpoint of waypost.webhooks.list({ limit: 1 })) listed.push(endpoint.id);
    expect(listed).toContain(id);
    expect(await waypost.webhooks.delete(id)).toBeUndefined();
    expect(await refusalOf(waypost.webhooks.get(id))).toMatchObject({
      code: "webhook_not_found",
      status: 404,
    });
  });
});

test("events are pulled in order, and after a stop only those that weren't finished", async () => {
  const { id } = await waypost.webhooks.create({ url: null, events: ["message.sent", "message.received"] });
  const ids = ["pull-1", "pull-2", "pull-3"];
  let cursor: string | undefined;
  const readUntil = async (last: string, limit: number) => {
    const stop = new AbortController();
    const read: string[] = [];
    const saveCursor = (next: string) => void (cursor = next);
    for await (const event of waypost.webhooks.pull(id, { cursor, saveCursor, limit, signal: stop.signal })) {
      const name = event.type === "message.sent" ? event.data.client_message_id : null;
      read.push(name ?? event.type);
      if (name === last) stop.abort();
    }
    return read;
  };
  const [first = "", second = "", third = ""] = ids;
  await waypost.messages.send(textOf(first));
  expect(await readUntil(first, 1)).toEqual([first]);
  await waypost.messages.send(textOf(second));
  await until("it is there", async () => (await waypost.webhooks.deliveries(id)).data.length === 2);
  await waypost.messages.send(textOf(third));
  expect(await readUntil(third, 50)).toEqual([second, third]);
  const all = [];
  for await (const { type } of waypost.webhooks.deliveries(id, { order: "oldest" })) all.push(type);
  expect(all).toEqual(ids.map(() => "message.sent"));
});
