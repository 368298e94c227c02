import type { ExpectStatic } from "vitest";
import { z } from "zod";
import { asJson } from "@/e2e/support/contract";
import type { ShownMessage } from "@/e2e/support/simulator";
import { LONG_READ, until } from "@/e2e/support/until";
import { demoFile } from "@/server/simulator/demo-files";
import { type Customer, givenTo, newCustomer, type ReadMessage } from "./customer";
import { receivedKinds, sentKinds } from "./published-kinds";
import { type Earlier, RECEIVED_CONTENTS, type ReceivedContent } from "./received-contents";
import type { Journey } from "./scenario";
import { SENT_CONTENTS, SENT_FILES, type SentContent } from "./sent-contents";
import type { World } from "./world";

type Json = Readonly<Record<string, unknown>>;

/** Each act of the customer, and the event that reports it. */
interface Answer {
  readonly type: string;
  readonly content: object;
  readonly reported: Json;
}

/** A reaction that another one replaces. */
const FORMER_EMOJI = "🙏";

/** Sends a message, and has the customer answer with a quote of it. */
async function sendAndAnswer(
  world: World,
  expect: ExpectStatic,
  { sent, isQuoting }: { sent: SentContent; isQuoting: boolean },
): Promise<void> {
  const customer = await newCustomer(world);
  const { first } = customer;
  const given = await givenTo(world, first.messageId);
  const isReaction = sent.kind === "reaction";
  if (isReaction) await reactBefore(customer);
  const { type, ...content } = sent.content(given);
  const reply_to = { message_id: first.messageId };
  const messageId = await customer.send({ type, ...content, ...(isQuoting && { reply_to }) });

  const shown = isReaction ? await untilReacted(customer) : await customer.untilShown(1);
  if (isReaction) expect(shown.reactions).toMatchObject(sent.shown);
  else await expectBubble(customer, expect, { shown, sent, quotes: isQuoting ? first.upstreamId : null });
  const read = await until(
    "its statuses are known",
    () => inState(customer, messageId, isReaction),
    LONG_READ,
  );
  const quote = { message_id: first.messageId, upstream_id: first.upstreamId };
  // Content has the quote beside it as well, as the request had it.
  expect(read).toMatchObject({ direction: "outbound", type, content, reply_to: isQuoting ? quote : null });

  const answer = answerTo(shown, sent);
  await customer.write(answer.type, answer.content, shown.id);
  const received = await untilReceived(customer, [first.messageId]);
  expect(received.reply_to).toEqual({
    message_id: isReaction ? first.messageId : messageId,
    upstream_id: shown.id,
  });
  expect(received.content).toEqual({ ...answer.reported, reply_to: { upstream_id: shown.id } });
  expect(await customer.read(received.message_id)).toEqual(received);
  expect((await customer.phone()).at(-1)).toMatchObject({ from: "customer", quotes: shown.id });
}

/** Has the customer write, and compares what Waypost and the phone report. */
async function receive(
  world: World,
  expect: ExpectStatic,
  { written, isQuoting }: { written: ReceivedContent; isQuoting: boolean },
): Promise<void> {
  const customer = await newCustomer(world);
  const messageId = await customer.send({ type: "text", text: { body: "Here I am" } });
  const { id: ofBusiness } = await customer.untilShown(1);
  const earlier: Earlier = { ofBusiness, ofCustomer: customer.first.upstreamId };
  const { kind, type = kind } = written;
  const before = [customer.first.messageId];
  if (kind === "reaction") {
    await customer.write("reaction", { message_id: ofBusiness, emoji: FORMER_EMOJI });
    before.push((await untilReceived(customer, before)).message_id);
  }
  await customer.write(type, written.content(earlier), isQuoting ? ofBusiness : undefined);

  const received = await untilReceived(customer, before);
  const reported = written.reported(earlier);
  const { media, reaction } = reported;
  expect(received.content).toEqual({
    ...reported,
    type: kind,
    ...(media === undefined ? {} : { media: expect.objectContaining(asJson(media)) }),
    ...(reaction === undefined ? {} : { reaction: { message_id: messageId, ...asJson(reaction) } }),
    ...(isQuoting && { reply_to: { upstream_id: ofBusiness } }),
  });
  const quote = { message_id: messageId, upstream_id: ofBusiness };
  expect(received.reply_to).toEqual(isQuoting ? quote : null);
  if (media) await expectFile(world, expect, received);
  else expect(await customer.read(received.message_id)).toEqual(received);

  const phone = await customer.phone();
  const { changes } = written;
  const shown = changes ? phone.find(({ id }) => id === earlier[changes]) : phone.at(-1);
  expect(shown).toMatchObject(written.shown);
  if (isQuoting && shown?.from === "customer" && !changes) expect(shown.quotes).toBe(ofBusiness);
}

async function reactBefore(customer: Customer): Promise<void> {
  const reaction = { message_id: customer.first.messageId, emoji: FORMER_EMOJI };
  await customer.send({ type: "reaction", reaction });
  const isShown = async () => (await firstOn(customer)).reactions.business === FORMER_EMOJI;
  await until("the phone shows the former reaction", isShown, LONG_READ);
}

async function firstOn(customer: Customer): Promise<ShownMessage> {
  const found = (await customer.phone()).find(({ id }) => id === customer.first.upstreamId);
  if (!found) throw new Error("The phone lost the customer's first message");
  return found;
}

/** Returns the message with its new reaction. */
function untilReacted(customer: Customer): Promise<ShownMessage> {
  const changed = async () => {
    const message = await firstOn(customer);
    return message.reactions.business === FORMER_EMOJI ? null : message;
  };
  return until("the phone shows the reaction", changed, LONG_READ);
}

async function expectBubble(
  customer: Customer,
  expect: ExpectStatic,
  { shown, sent, quotes }: { shown: ShownMessage; sent: SentContent; quotes: string | null },
): Promise<void> {
  const { media, ...bubble } = shown.bubble;
  const { id, ...file } = media ?? {};
  expect({ ...bubble, ...(media && { media: file }) }).toEqual(sent.shown);
  expect(shown.quotes).toBe(quotes);
  if (!media) return;
  expect(id !== undefined).toBe(file.link === undefined);
  const [, mimeType = ""] = Object.entries(SENT_FILES).find(([type]) => type === sent.kind) ?? [];
  if (id) expect((await customer.file(id)).equals(demoFile(mimeType))).toBe(true);
}

async function inState(customer: Customer, messageId: string, isReaction: boolean) {
  const message = await customer.read(messageId);
  return message.delivery_state === (isReaction ? "sent" : "read") ? message : null;
}

/** Waits for a message of the customer besides those that are known. */
function untilReceived(customer: Customer, known: readonly string[]): Promise<ReadMessage> {
  const found = async () => (await customer.received()).find(({ message_id }) => !known.includes(message_id));
  return until("the customer's message is received", found, LONG_READ);
}

const row = z.object({ id: z.string(), title: z.string(), description: z.string().optional() });

const shownTouches = z.object({
  buttons: z
    .array(
      z.object({
        kind: z.string(),
        title: z.string(),
        answer: z.string().optional(),
        id: z.string().optional(),
      }),
    )
    .optional(),
  list: z.object({ sections: z.array(z.object({ rows: z.array(row) })) }).optional(),
});

/** Returns what the customer does with what the phone shows: presses a button, sends the location, or writes. */
function answerTo({ bubble }: ShownMessage, { chosen }: SentContent): Answer {
  const { buttons, list } = shownTouches.parse(bubble);
  const rows = list?.sections.flatMap(({ rows: ofSection }) => ofSection) ?? [];
  const found = rows.find(({ id }) => id === chosen?.id);
  const button = buttons?.find(({ title }) => title === chosen?.title);
  const reported = { type: "reply", reply: chosen };
  if (found) return { type: "interactive", content: { type: "list_reply", list_reply: found }, reported };
  if (button?.answer === "button")
    return { type: "button", content: { text: button.title, payload: button.id }, reported };
  if (button) {
    const { id, title } = button;
    return {
      type: "interactive",
      content: { type: "button_reply", button_reply: { id, title } },
      reported,
    };
  }
  if (chosen) throw new Error(`The phone doesn't show ${chosen.title}`);
  if (buttons?.some(({ kind }) => kind === "location")) {
    const location = { latitude: 52.5, longitude: 13.4 };
    return { type: "location", content: location, reported: { type: "location", location } };
  }
  const text = { body: "Thanks" };
  return { type: "text", content: text, reported: { type: "text", text } };
}

/** The file can be read as it was sent, once it is fetched. */
async function expectFile({ api, keys }: World, expect: ExpectStatic, message: ReadMessage): Promise<void> {
  const key = keys.main.secret;
  const path = `/messages/${message.message_id}`;
  const fetched = async () => {
    const { content } = asJson((await api.call({ path, key })).body);
    const { size, mime_type } = asJson(asJson(content).media);
    return typeof size === "number" ? { size, mimeType: String(mime_type) } : null;
  };
  const { size, mimeType } = await until("the file is fetched", fetched, LONG_READ);
  const { status, text } = await api.call({ path: `${path}/media`, key });
  expect({ status, size, text }).toEqual({
    status: 200,
    size: demoFile(mimeType).length,
    text: demoFile(mimeType).toString("utf8"),
  });
}

const ways = [
  { isQuoting: false, as: "" },
  { isQuoting: true, as: ", as a quote," },
];

/** Every type of message from the request to the customer's phone and back, and every kind that customers send. */
export const roundtrips: readonly Journey[] = [
  {
    name: "every kind of content that the document lets a client send, and every kind that it describes, goes there and back",
    run({ api }, expect) {
      const kindsIn = (contents: Readonly<Record<string, { readonly kind: string }>>) =>
        [...new Set(Object.values(contents).map(({ kind }) => kind))].toSorted();
      expect(kindsIn(SENT_CONTENTS)).toEqual(sentKinds(api.document).toSorted());
      expect(kindsIn(RECEIVED_CONTENTS)).toEqual(receivedKinds(api.document).toSorted());
    },
  },
  ...ways.flatMap(({ isQuoting, as }) =>
    Object.entries(SENT_CONTENTS)
      .filter(([, { kind }]) => !isQuoting || kind !== "reaction")
      .map(([name, sent]): Journey => ({
        name: `${name} that is sent${as} is on the customer's phone, and the answer quotes it`,
        run: (world, expect) => sendAndAnswer(world, expect, { sent, isQuoting }),
      })),
  ),
  ...ways.flatMap(({ isQuoting, as }) =>
    Object.entries(RECEIVED_CONTENTS)
      .filter(([, { isQuoting: canQuote = true }]) => canQuote || !isQuoting)
      .map(([name, written]): Journey => ({
        name: `${name} that a customer sends${as} is read as the customer sent it`,
        run: (world, expect) => receive(world, expect, { written, isQuoting }),
      })),
  ),
];
