import { randomInt } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { ExpectStatic } from "vitest";
import { asJson } from "@/e2e/support/contract";
import { LONG_READ, until } from "@/e2e/support/until";
import { newCustomer } from "./customer";
import { client, withEndpoint } from "./endpoints";
import { type Earlier, RECEIVED_CONTENTS } from "./received-contents";
import { send, sendTemplate, type Journey } from "./scenario";
import type { World } from "./world";

type Json = Readonly<Record<string, unknown>>;
type Endpoint = { readonly id: string; readonly secret: string };

/** Numbers that the simulator refuses: in the response to the call, and in a status after it. */
const UNDELIVERABLE = ["99010", "99011"] as const;

/** Fetches an endpoint's events of one type. Checks signature, schema and id of each. */
async function eventsAt(world: World, { id, secret }: Endpoint, type: string, expect: ExpectStatic) {
  const { call } = client(world);
  const events: Json[] = [];
  let cursor = "";
  for (;;) {
    const query = `order=oldest&include=payload&type=${type}&limit=100${cursor}`;
    const page = JSON.parse((await call({ path: `/webhooks/${id}/deliveries?${query}` })).text);
    for (const { id: deliveryId, body, headers, event_id: eventId } of page.data) {
      const event = asJson(new Webhook(secret).verify(body, headers));
      world.api.checkEvent(event);
      expect([event.id, headers["webhook-id"]]).toEqual([eventId, eventId]);
      expect(deliveryId).not.toBe(eventId);
      events.push(event);
    }
    if (page.data.length === 0) return events;
    cursor = `&cursor=${page.next_cursor}`;
  }
}

/** Creates two endpoints without a URL for the test. */
function withTwoEndpoints(
  world: World,
  events: readonly string[],
  work: (endpoints: readonly [Endpoint, Endpoint]) => Promise<void>,
): Promise<void> {
  const json = { url: null, events };
  return withEndpoint(world, json, (first) => withEndpoint(world, json, (second) => work([first, second])));
}

async function reportWhatCustomersSend(world: World, expect: ExpectStatic): Promise<void> {
  const customer = await newCustomer(world);
  await customer.send({ type: "text", text: { body: "Here I am" } });
  const { id: ofBusiness } = await customer.untilShown(1);
  const earlier: Earlier = { ofBusiness, ofCustomer: customer.first.upstreamId };
  const type = "message.received";
  await withTwoEndpoints(world, [type], async ([first, second]) => {
    const contents = Object.values(RECEIVED_CONTENTS);
    for (const { kind, type: sentAs = kind, content } of contents)
      await customer.write(sentAs, content(earlier), ofBusiness);
    const ofCustomer = async (endpoint: Endpoint) => {
      const events = await eventsAt(world, endpoint, type, expect);
      return events.filter(({ data }) => asJson(asJson(data).from).handle === customer.handle);
    };
    const allAt = async (endpoint: Endpoint) => {
      const events = await ofCustomer(endpoint);
      return events.length >= contents.length ? events : null;
    };
    const events = await until("the events can be fetched", () => allAt(first), LONG_READ);
    const kinds = events.map(({ data }) => String(asJson(asJson(data).content).type));
    expect(kinds.toSorted()).toEqual(contents.map(({ kind }) => kind).toSorted());
    for (const { data } of events) {
      const { content, reply_to, message_id } = asJson(data);
      const read = await customer.read(String(message_id));
      expect({ reply_to, content: beforeDownload(asJson(content)) }).toEqual({
        reply_to: read.reply_to,
        content: beforeDownload(read.content),
      });
    }
    const byId = (one: Json, other: Json) => String(one.id).localeCompare(String(other.id));
    expect((await ofCustomer(second)).toSorted(byId)).toEqual(events.toSorted(byId));
  });
}

/** Without what is known of a file only once it is downloaded. */
function beforeDownload({ media, ...content }: Json): Json {
  const { size: _size, mime_type: _mimeType, ...file } = asJson(media);
  return { ...content, ...file };
}

async function reportWhyFailed(world: World, ending: string, expect: ExpectStatic): Promise<void> {
  const type = "message.failed";
  await withTwoEndpoints(world, [type], async ([first, second]) => {
    const handle = `49151${randomInt(1000, 10_000)}${ending}`;
    const { message_id: id } = JSON.parse((await world.api.call(sendTemplate(world, handle))).text);
    const ofMessage = async (endpoint: Endpoint) => {
      const events = await eventsAt(world, endpoint, type, expect);
      return events.find(({ data }) => asJson(data).message_id === id);
    };
    const event = await until("the event can be fetched", () => ofMessage(first), LONG_READ);
    // The documentation's URL is that of the process that responds, or stores the event.
    const { doc_url: _stored, ...error } = asJson(asJson(event.data).error);
    expect(error).toMatchObject({
      code: "undeliverable",
      upstream: { code: 131_026, title: "Message undeliverable" },
    });
    const read = await world.api.call({ path: `/messages/${id}`, key: world.keys.main.secret });
    const { doc_url: _answered, ...errorOfRead } = asJson(asJson(read.body).error);
    expect(errorOfRead).toEqual(error);
    expect(await ofMessage(second)).toEqual(event);
  });
}

async function fetchEvents(world: World, expect: ExpectStatic): Promise<void> {
  const events = ["message.sent", "message.delivered", "message.read"];
  await withEndpoint(world, { url: null, events }, async ({ id, secret }, call) => {
    const { message_id } = JSON.parse((await world.api.call(send(world))).text);
    const fetched: Json[] = [];
    let cursor = "";
    const fetchNext = async () => {
      const query = `order=oldest&include=payload&message_id=${message_id}${cursor}`;
      const page = JSON.parse((await call({ path: `/webhooks/${id}/deliveries?${query}` })).text);
      cursor = `&cursor=${page.next_cursor}`;
      for (const { body, headers, event_id: eventId } of page.data) {
        const event = asJson(new Webhook(secret).verify(body, headers));
        expect([event.id, headers["webhook-id"]]).toEqual([eventId, eventId]);
        fetched.push(event);
      }
      return fetched.some(({ type }) => type === "message.read");
    };
    await until("the events are fetched", fetchNext, { intervalMs: 250 });
    expect(fetched.map(({ type, data }) => [type, asJson(data).sequence, asJson(data).message_id])).toEqual(
      events.map((type, index) => [type, index + 1, message_id]),
    );
    const read = await world.api.call({ path: `/messages/${message_id}`, key: world.keys.main.secret });
    expect(asJson(fetched.at(-1)?.data)).toMatchObject(asJson(read.body));
  });
}

/** Events of messages: each has one id at every endpoint. */
export const events: readonly Journey[] = [
  {
    name: "an endpoint without a URL has its events fetched in order, signed",
    run: fetchEvents,
  },
  {
    name: "each kind that a customer sends is told as the document describes it, under one id at both endpoints",
    run: reportWhatCustomersSend,
  },
  ...UNDELIVERABLE.map((ending): Journey => ({
    name: `the event of a failure has WhatsApp's own code and title, as the message has, at both endpoints (${ending})`,
    run: (world, expect) => reportWhyFailed(world, ending, expect),
  })),
];
