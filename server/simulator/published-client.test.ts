import { GraphApiError, TemplateDefinition, WhatsAppClient } from "@kapso/whatsapp-cloud-api";
import { normalizeWebhook, verifySignature } from "@kapso/whatsapp-cloud-api/server";
import { describe, expect, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import { call, ledgerOf, numberFor, phoneNumberId, startWithReceiver, type Receiver } from "./testing";

/** A published third-party client of the Cloud API. Only the address of the Graph API is configured. */
const { access_token: accessToken, app_secret: appSecret, waba_id: businessAccountId } = numberFor("");
const to = "4915112345678";
const bizOpaqueCallbackData = "01999999-9999-7999-8999-999999999999";

async function start() {
  const { simulator, receiver } = await startWithReceiver();
  return { simulator, receiver, client: new WhatsAppClient({ accessToken, baseUrl: simulator.url }) };
}

const link = (name: string) => `https://files.example/${name}`;
const addressed = { phoneNumberId, to, bizOpaqueCallbackData };

/** The messages that the client sends, and their ledger entries. */
const SENDS = [
  {
    type: "text",
    send: ({ messages }: WhatsAppClient) =>
      messages.sendText({ ...addressed, body: "Grüße 👋", previewUrl: true }),
    body: "Grüße 👋",
  },
  {
    type: "image",
    send: ({ messages }: WhatsAppClient) =>
      messages.sendImage({ ...addressed, image: { link: link("a.jpg"), caption: "Photo" } }),
    body: { link: link("a.jpg"), caption: "Photo" },
  },
  {
    type: "audio",
    send: ({ messages }: WhatsAppClient) =>
      messages.sendAudio({ ...addressed, audio: { link: link("a.ogg") } }),
    body: { link: link("a.ogg") },
  },
  {
    type: "video",
    send: ({ messages }: WhatsAppClient) =>
      messages.sendVideo({ ...addressed, video: { link: link("a.mp4"), caption: "Clip" } }),
    body: { link: link("a.mp4"), caption: "Clip" },
  },
  {
    type: "document",
    send: ({ messages }: WhatsAppClient) =>
      messages.sendDocument({
        ...addressed,
        document: { link: link("a.pdf"), filename: "invoice.pdf", caption: "Invoice" },
      }),
    body: { link: link("a.pdf"), filename: "invoice.pdf", caption: "Invoice" },
  },
] as const;

/** The types that are sent by the id of an upload. */
const UPLOADS = [
  {
    type: "image",
    mimeType: "image/png",
    send: ({ messages }: WhatsAppClient, id: string) =>
      messages.sendImage({ ...addressed, image: { id, caption: "Photo" } }),
    body: { caption: "Photo" },
  },
  {
    type: "audio",
    mimeType: "audio/ogg",
    send: ({ messages }: WhatsAppClient, id: string) => messages.sendAudio({ ...addressed, audio: { id } }),
    body: {},
  },
  {
    type: "video",
    mimeType: "video/mp4",
    send: ({ messages }: WhatsAppClient, id: string) =>
      messages.sendVideo({ ...addressed, video: { id, caption: "Clip" } }),
    body: { caption: "Clip" },
  },
  {
    type: "document",
    mimeType: "application/pdf",
    send: ({ messages }: WhatsAppClient, id: string) =>
      messages.sendDocument({ ...addressed, document: { id, filename: "invoice.pdf" } }),
    body: { filename: "invoice.pdf" },
  },
] as const;

const orderShipped = TemplateDefinition.buildTemplateDefinition({
  name: "order_shipped",
  language: "en_US",
  category: "UTILITY",
  components: [
    { type: "HEADER", format: "TEXT", text: "Order {{1}}", example: { headerText: ["1042"] } },
    {
      type: "BODY",
      text: "Hello {{1}}, it arrives on {{2}}.",
      example: { bodyText: [["Ada", "Monday"]] },
    },
    { type: "FOOTER", text: "Thank you" },
    {
      type: "BUTTONS",
      buttons: [
        { type: "URL", text: "Track", url: "https://shop.example/track/{{1}}", example: ["1042"] },
        { type: "QUICK_REPLY", text: "Call me" },
      ],
    },
  ],
});

const filledIn = [
  { type: "header", parameters: [{ type: "text", text: "1042" }] },
  {
    type: "body",
    parameters: [
      { type: "text", text: "Ada" },
      { type: "text", text: "Monday" },
    ],
  },
  { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "1042" }] },
];

function created(client: WhatsAppClient) {
  return client.templates.create({ businessAccountId, ...orderShipped });
}

function webhooksAt(receiver: Receiver) {
  return receiver.posts.map(({ raw, signature }) => {
    expect(verifySignature({ appSecret, rawBody: raw, signatureHeader: signature })).toBe(true);
    return normalizeWebhook(JSON.parse(raw.toString("utf8")));
  });
}

describe("a published client sends to the simulator what Meta would take", () => {
  test.each(SENDS)(
    "$type: accepted, and in the ledger as the client said it",
    async ({ type, send, body }) => {
      const { simulator, client } = await start();
      const { messages, contacts } = await send(client);
      expect(contacts).toEqual([{ input: to, waId: to }]);
      const ledger = await ledgerOf(simulator);
      const said = { to, type, body, biz_opaque_callback_data: bizOpaqueCallbackData };
      expect(ledger.messages).toEqual([expect.objectContaining({ wamid: messages[0]?.id, ...said })]);
    },
  );

  test.each(UPLOADS)("$type: by the id of its upload, which it can read back", async (example) => {
    const { simulator, client } = await start();
    const { type, mimeType } = example;
    const file = new Blob(["of the published client"], { type: mimeType });
    const { id } = await client.media.upload({ phoneNumberId, type, file, fileName: "file" });
    expect(await client.media.get({ mediaId: id, phoneNumberId })).toMatchObject({ id, mimeType });
    const { messages } = await example.send(client, id);
    const ledger = await ledgerOf(simulator);
    expect(ledger.messages).toEqual([
      expect.objectContaining({ wamid: messages[0]?.id, type, body: { id, ...example.body } }),
    ]);
    expect(await client.media.delete({ mediaId: id, phoneNumberId })).toEqual({ success: true });
    await expect(example.send(client, id)).rejects.toBeInstanceOf(GraphApiError);
  });

  test("template: created, listed, and sent with what its header, body and button take", async () => {
    const { simulator, client } = await start();
    const { id, status } = await created(client);
    expect(status).toBe("APPROVED");
    const { data } = await client.templates.list({ businessAccountId, name: orderShipped.name });
    expect(data).toMatchObject([{ id, name: "order_shipped", language: "en_US", category: "UTILITY" }]);
    const template = { name: "order_shipped", language: { code: "en_US" }, components: filledIn };
    const { messages } = await client.messages.sendTemplate({ ...addressed, template });
    const ledger = await ledgerOf(simulator);
    expect(ledger.messages).toEqual([
      expect.objectContaining({ wamid: messages[0]?.id, type: "template", body: template }),
    ]);
  });

  test("template: with the image of an upload in its header, and named variables", async () => {
    const { simulator, client } = await start();
    const name = "order_photo";
    await client.templates.create({
      businessAccountId,
      name,
      language: "de",
      category: "UTILITY",
      parameterFormat: "NAMED",
      components: [
        { type: "HEADER", format: "IMAGE", example: { headerHandle: ["4:handle"] } },
        { type: "BODY", text: "Hallo {{first_name}}, es ist da." },
      ],
    });
    const file = new Blob(["of the published client"], { type: "image/jpeg" });
    const { id } = await client.media.upload({ phoneNumberId, type: "image", file, fileName: "a.jpg" });
    const body = { type: "body", parameters: [{ type: "text", parameter_name: "first_name", text: "Ada" }] };
    const components = [{ type: "header", parameters: [{ type: "image", image: { id } }] }, body];
    await client.messages.sendTemplate({
      ...addressed,
      template: { name, language: { code: "de" }, components },
    });
    const { messages } = await ledgerOf(simulator);
    expect(messages).toEqual([
      expect.objectContaining({ body: { name, language: { code: "de" }, components } }),
    ]);
  });
});

describe("a refusal reaches a published client as its own error of Meta's code", () => {
  const errorOf = async (refused: Promise<unknown>): Promise<GraphApiError> => {
    const error: unknown = await refused.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(GraphApiError);
    return error as GraphApiError;
  };

  test("of a number that can't be reached", async () => {
    const { simulator, client } = await start();
    const sent = client.messages.sendText({ ...addressed, to: "4915112399010", body: "Hello" });
    expect(await errorOf(sent)).toMatchObject({ httpStatus: 400, code: 131026 });
    const { calls, messages } = await ledgerOf(simulator);
    expect(messages).toEqual([]);
    expect(calls).toEqual([expect.objectContaining({ to: "4915112399010", status: 400, code: 131026 })]);
  });

  test("of a token that isn't the number's", async () => {
    const { simulator } = await start();
    const stranger = new WhatsAppClient({ accessToken: "of another", baseUrl: simulator.url });
    const error = await errorOf(stranger.messages.sendText({ ...addressed, body: "Hello" }));
    expect(error).toMatchObject({ httpStatus: 401, code: 190 });
    expect(error.isAuthError()).toBe(true);
  });

  test("of a template that lacks a variable", async () => {
    const { client } = await start();
    await created(client);
    const template = { name: "order_shipped", language: { code: "en_US" }, components: filledIn.slice(1) };
    const error = await errorOf(client.messages.sendTemplate({ ...addressed, template }));
    expect(error).toMatchObject({ code: 132000 });
    expect(error.isTemplateError()).toBe(true);
  });
});

describe("a published client verifies and reads the simulator's callbacks", () => {
  test("the statuses of a message, in their order", async () => {
    const { receiver, client } = await start();
    const { messages } = await client.messages.sendText({ ...addressed, body: "Hello" });
    await eventually(() => expect(receiver.statuses()).toHaveLength(3));
    const webhooks = webhooksAt(receiver);
    expect(new Set(webhooks.map((webhook) => webhook.phoneNumberId))).toEqual(new Set([phoneNumberId]));
    const statuses = webhooks.flatMap((webhook) => webhook.statuses);
    expect(statuses.map(({ status }) => status)).toEqual(["sent", "delivered", "read"]);
    for (const status of statuses) {
      expect(status).toMatchObject({ id: messages[0]?.id, recipientId: to, bizOpaqueCallbackData });
    }
  });

  test("why a message failed", async () => {
    const { receiver, client } = await start();
    await client.messages.sendText({ ...addressed, to: "4915112399011", body: "Hello" });
    await eventually(() => expect(receiver.statuses()).toHaveLength(1));
    const [failed] = webhooksAt(receiver).flatMap(({ statuses }) => statuses);
    expect(failed).toMatchObject({ status: "failed", bizOpaqueCallbackData, errors: [{ code: 131026 }] });
  });

  test("what a customer wrote, and who it is", async () => {
    const { simulator, receiver } = await start();
    const text = { body: "Wo bleibt es? 📦 /" };
    const said = { phone_number_id: phoneNumberId, from: to, profile_name: "Ada", text };
    const { body } = await call(simulator, "POST", "/simulator/inbound", said);
    await eventually(() => expect(receiver.posts).toHaveLength(1));
    const [webhook] = webhooksAt(receiver);
    expect(webhook?.contacts).toEqual([{ waId: to, profile: { name: "Ada" } }]);
    expect(webhook?.messages).toEqual([
      expect.objectContaining({ from: to, id: (body as { wamid: string }).wamid, type: "text", text }),
    ]);
    expect(webhook?.messages[0]?.kapso?.direction).toBe("inbound");
  });

  test("and refuses them under another secret", async () => {
    const { receiver, client } = await start();
    await client.messages.sendText({ ...addressed, body: "Hello" });
    await eventually(() => expect(receiver.posts.length).toBeGreaterThan(0));
    for (const { raw, signature } of receiver.posts) {
      expect(verifySignature({ appSecret: "of another app", rawBody: raw, signatureHeader: signature })).toBe(
        false,
      );
    }
  });
});
