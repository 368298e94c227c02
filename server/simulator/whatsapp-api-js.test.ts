import { webcrypto } from "node:crypto";
import { describe, expect, test } from "vitest";
import { WhatsAppAPI } from "whatsapp-api-js";
import {
  ActionButtons,
  ActionCTA,
  ActionList,
  ActionLocation,
  Audio,
  Body,
  BodyComponent,
  BodyParameter,
  Button,
  CarouselCard,
  CarouselComponent,
  Contacts,
  Document,
  Footer,
  Header,
  HeaderComponent,
  HeaderParameter,
  Image,
  Interactive,
  ListSection,
  Location,
  Name,
  PayloadComponent,
  Phone,
  Reaction,
  Row,
  Sticker,
  Template,
  Text,
  URLComponent,
  Video,
} from "whatsapp-api-js/messages";
import { call, ledgerOf, numberFor, phoneNumberId, startWithReceiver } from "./testing";

/** A second published client of the Cloud API, by other authors. Only its `fetch` is given another address. */
const {
  access_token: token,
  app_secret: appSecret,
  verify_token: webhookVerifyToken,
  waba_id,
} = numberFor("");
const to = "4915112345678";
const GRAPH = "https://graph.facebook.com";

async function start() {
  const { simulator, receiver } = await startWithReceiver();
  const toSimulator: typeof fetch = (url, init) => {
    const address = typeof url === "string" ? url : url instanceof URL ? url.href : url.url;
    expect(address.startsWith(`${GRAPH}/`)).toBe(true);
    return fetch(simulator.url + address.slice(GRAPH.length), init);
  };
  const { subtle } = webcrypto;
  const ponyfill = { fetch: toSimulator, subtle };
  const client = new WhatsAppAPI({ token, appSecret, webhookVerifyToken, v: "v24.0", ponyfill });
  return { simulator, receiver, client };
}

const link = (name: string) => `https://files.example/${name}`;
const choices = new ActionButtons(new Button("yes", "Yes"), new Button("no", "No"));
const list = new ActionList(
  "Choose",
  new ListSection("Trees", new Row("lemon", "Lemon"), new Row("olive", "Olive")),
);

/** A message of every kind that the client can build and the simulator knows. */
const MESSAGES = [
  new Text("Grüße 👋", true),
  new Image(link("a.jpg"), false, "Photo"),
  new Audio(link("a.ogg")),
  new Video(link("a.mp4"), false, "Clip"),
  new Document(link("a.pdf"), false, "Invoice", "invoice.pdf"),
  new Sticker(link("a.webp")),
  new Location(13.4, 52.5, "The shop", "Berlin"),
  new Contacts([new Name("Ada Shop", "Ada"), new Phone("+4915112345678", "WORK")]),
  new Reaction("wamid.HBgNNDkxNTExMjM0NTY3OBUCABEYEjlBM0NBNUIzRDRDRDE3RTc3MQA=", "👍"),
  new Interactive(choices, new Body("Is it there?"), new Header("Order 1042"), new Footer("Thank you")),
  new Interactive(list, new Body("Which tree?")),
  new Interactive(new ActionCTA("Track", "https://shop.example"), new Body("Your parcel")),
  new Interactive(new ActionLocation(), new Body("Where are you?")),
];

describe("a second published client sends to the simulator what Meta would take", () => {
  test("every kind of message is accepted, and is in the ledger as the client built it", async () => {
    const { simulator, client } = await start();
    for (const message of MESSAGES) {
      const answer = await client.sendMessage(phoneNumberId, to, message, undefined, "their-id");
      expect(answer).toMatchObject({
        contacts: [{ input: to, wa_id: to }],
        messages: [{ id: expect.any(String) }],
      });
    }
    const { messages } = await ledgerOf(simulator);
    expect(messages.map(({ type }) => type)).toEqual(MESSAGES.map(({ _type }) => _type));
    expect(messages.every((message) => message.biz_opaque_callback_data === "their-id")).toBe(true);
  });

  test("a template with a picture, buttons and cards, each with what it takes", async () => {
    const { simulator, client } = await start();
    const picture = { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } };
    const card = {
      components: [
        picture,
        { type: "BODY", text: "For {{1}} euros." },
        {
          type: "BUTTONS",
          buttons: [
            { type: "QUICK_REPLY", text: "Like" },
            { type: "URL", text: "Show", url: "https://shop.example/{{1}}" },
          ],
        },
      ],
    };
    const components = [
      { type: "BODY", text: "Hello {{1}}, new trees." },
      { type: "CAROUSEL", cards: [card, card] },
    ];
    const template = { name: "trees", language: "en_US", category: "MARKETING", components };
    const path = `/v24.0/${waba_id}/message_templates`;
    const created = await call(simulator, "POST", path, template, { authorization: `Bearer ${token}` });
    expect(created.status).toBe(200);
    const cards = ["lemon", "olive"].map(
      (tree) =>
        new CarouselCard(
          new Image(link(`${tree}.jpg`)),
          new BodyComponent(new BodyParameter("25")),
          new PayloadComponent(`like-${tree}`),
          new URLComponent(tree),
        ),
    );
    const message = (...given: ConstructorParameters<typeof CarouselComponent>) =>
      new Template(
        "trees",
        "en_US",
        new BodyComponent(new BodyParameter("Ada")),
        new CarouselComponent(...given),
      );
    const [one, two] = cards;
    if (!one || !two) throw new Error("There are two cards");
    expect(await client.sendMessage(phoneNumberId, to, message(one, two))).toHaveProperty("messages");
    expect(await client.sendMessage(phoneNumberId, to, message(one))).toMatchObject({
      error: { code: 132000 },
    });
  });

  test("a template with a text in its header", async () => {
    const { simulator, client } = await start();
    const components = [
      { type: "HEADER", format: "TEXT", text: "Order {{1}}" },
      { type: "BODY", text: "It is on its way." },
    ];
    const template = { name: "shipped", language: "en_US", category: "UTILITY", components };
    const path = `/v24.0/${waba_id}/message_templates`;
    await call(simulator, "POST", path, template, { authorization: `Bearer ${token}` });
    const header = new HeaderComponent(new HeaderParameter("1042"));
    const sent = await client.sendMessage(phoneNumberId, to, new Template("shipped", "en_US", header));
    expect(sent).toHaveProperty("messages");
  });

  test("uploads, which it reads back and deletes", async () => {
    const { client } = await start();
    const form = new FormData();
    form.set("messaging_product", "whatsapp");
    form.set("type", "image/png");
    form.set("file", new Blob(["of the client"], { type: "image/png" }), "a.png");
    const uploaded = await client.uploadMedia(phoneNumberId, form);
    if (!("id" in uploaded)) throw new Error(JSON.stringify(uploaded));
    expect(await client.retrieveMedia(uploaded.id)).toMatchObject({
      id: uploaded.id,
      mime_type: "image/png",
    });
    expect(await client.sendMessage(phoneNumberId, to, new Image(uploaded.id, true))).toHaveProperty(
      "messages",
    );
    expect(await client.deleteMedia(uploaded.id, phoneNumberId)).toEqual({ success: true });
    expect(await client.retrieveMedia(uploaded.id)).toHaveProperty("error");
  });

  test("errors in Meta's form", async () => {
    const { client } = await start();
    expect(await client.sendMessage(phoneNumberId, to, new Template("unknown", "en_US"))).toMatchObject({
      error: { code: 132001, type: "OAuthException", fbtrace_id: expect.any(String) },
    });
  });
});

test("a second published client verifies and reads the simulator's callbacks", async () => {
  const { simulator, receiver, client } = await start();
  const texts: unknown[] = [];
  const statuses: unknown[] = [];
  client.on.message = ({ phoneID, message, name }) => void texts.push([phoneID, message.type, name]);
  client.on.status = ({ phoneID, status, id }) => void statuses.push([phoneID, status, id]);
  const sent = await client.sendMessage(phoneNumberId, to, new Text("Hello"));
  if (!("messages" in sent)) throw new Error(JSON.stringify(sent));
  await expect.poll(() => receiver.statuses().length).toBe(3);
  const inbound = { phone_number_id: phoneNumberId, from: to, profile_name: "Ada", text: { body: "Hi" } };
  await call(simulator, "POST", "/simulator/inbound", inbound);
  const received = () => receiver.posts.flatMap(({ values }) => values);
  await expect.poll(() => received().some(({ messages }) => messages)).toBe(true);
  for (const { raw, signature } of receiver.posts) {
    const body = raw.toString("utf8");
    await client.post(JSON.parse(body), body, signature);
    await expect(client.post(JSON.parse(body), `${body} `, signature)).rejects.toBeDefined();
  }
  const id = sent.messages[0]?.id;
  expect(texts).toEqual([[phoneNumberId, "text", "Ada"]]);
  // Of several statuses in one callback, this client reads the first.
  const firstOfEach = receiver.posts.flatMap(({ values }) => values[0]?.statuses?.slice(0, 1) ?? []);
  expect(statuses).toEqual(firstOfEach.map(({ status }) => [phoneNumberId, status, id]));
  expect(statuses).not.toEqual([]);
  const query = Object.fromEntries(receiver.verifications[0] ?? []);
  expect(client.get(query as Parameters<typeof client.get>[0])).toBe(query["hub.challenge"]);
});
