import { describe, expect, test } from "vitest";
import { call, ledgerOf, numberFor, phoneNumberId, send, startWithReceiver } from "./testing";

const to = "4915112345678";
const addressed = { messaging_product: "whatsapp", to };
const text = { type: "text", text: { body: "Hello" } };
const { access_token: token, waba_id: wabaId } = numberFor("");

async function start() {
  const { simulator, receiver } = await startWithReceiver();
  const write = async (from: string, content: object = { text: { body: "Hi" } }) => {
    const { body } = await call(simulator, "POST", "/simulator/inbound", {
      phone_number_id: phoneNumberId,
      from,
      ...content,
    });
    return (body as { wamid: string }).wamid;
  };
  const sendOne = async (content: object) => {
    const { status, body } = await send(simulator, { ...addressed, ...content });
    return { status, ...(body as { messages?: { id: string }[]; error?: { code: number } }) };
  };
  const statusesOf = (wamid: string | undefined) =>
    receiver.statuses().filter(({ id }) => id === wamid) as { status: string; errors?: { code: number }[] }[];
  return { simulator, write, sendOne, statusesOf };
}

const reaction = (message_id: string, emoji = "👍") => ({
  type: "reaction",
  reaction: { message_id, emoji },
});

describe("a reaction", () => {
  test("to a customer's message or to one of ours is sent, and never reported as delivered or read", async () => {
    const { write, sendOne, statusesOf } = await start();
    const ours = await sendOne(text);
    for (const id of [await write(to), ours.messages?.[0]?.id ?? ""]) {
      const { messages } = await sendOne(reaction(id));
      await expect.poll(() => statusesOf(messages?.[0]?.id).map(({ status }) => status)).toEqual(["sent"]);
    }
    await expect.poll(() => statusesOf(ours.messages?.[0]?.id)).toHaveLength(3);
  });

  test("to an unknown message, to one of another chat or to a reaction is accepted, and fails with 131009", async () => {
    const { write, sendOne, statusesOf } = await start();
    const given = await sendOne(reaction(await write(to)));
    const ids = [
      "wamid.HBgL",
      await write("4915187654321"),
      given.messages?.[0]?.id ?? "",
      await write(to, { type: "reaction", reaction: { message_id: "wamid.1", emoji: "👍" } }),
    ];
    for (const id of ids) {
      const { status, messages } = await sendOne(reaction(id));
      expect(status).toBe(200);
      await expect
        .poll(() => statusesOf(messages?.[0]?.id))
        .toMatchObject([{ status: "failed", errors: [{ code: 131009 }] }]);
    }
  });
});

describe("a quote", () => {
  test("is in the ledger, also of a message that is unknown", async () => {
    const { simulator, sendOne } = await start();
    const context = { message_id: "wamid.HBgL" };
    await sendOne({ ...text, context });
    await sendOne(text);
    const { messages } = await ledgerOf(simulator);
    expect(messages).toMatchObject([{ context }, {}]);
    expect(messages[1]).not.toHaveProperty("context");
  });

  test.each([{}, { message_id: "" }, { message_id: 7 }, "wamid.1"])(
    "named by %j is refused",
    async (context) => {
      const { sendOne } = await start();
      expect(await sendOne({ ...text, context })).toMatchObject({ status: 400, error: { code: 100 } });
    },
  );
});

test("a template with a one-time code is refused for an id of a person with 131062, and taken for a number", async () => {
  const { simulator } = await startWithReceiver();
  const template = {
    name: "login",
    language: "en_US",
    category: "AUTHENTICATION",
    components: [
      { type: "BODY" },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy" }] },
    ],
  };
  const created = await call(simulator, "POST", `/v24.0/${wabaId}/message_templates`, template, {
    authorization: `Bearer ${token}`,
  });
  expect(created.status).toBe(200);
  const code = [{ type: "text", text: "1234" }];
  const message = {
    messaging_product: "whatsapp",
    type: "template",
    template: {
      name: "login",
      language: { code: "en_US" },
      components: [{ type: "button", sub_type: "url", index: "0", parameters: code }],
    },
  };
  const refused = await send(simulator, { ...message, recipient: "US.13491208655302741918" });
  expect(refused).toMatchObject({ status: 400, body: { error: { code: 131062 } } });
  expect(await send(simulator, { ...message, to })).toMatchObject({ status: 200 });
});

test.each([
  ["static", 0, 100],
  ["animated", 2, 500],
])("a %s sticker (flags %d) may have %d KB", async (_, flags, kib) => {
  const { simulator } = await startWithReceiver();
  const beginning = Buffer.concat([
    Buffer.from("RIFF\x5a\0\0\0WEBPVP8X\x0a\0\0\0", "latin1"),
    Buffer.from([flags]),
  ]);
  const upload = async (bytes: number) => {
    const form = new FormData();
    form.set("messaging_product", "whatsapp");
    const file = Buffer.concat([beginning, Buffer.alloc(bytes - beginning.length)]);
    form.set("file", new Blob([file], { type: "image/webp" }), "a.webp");
    const url = `${simulator.url}/v24.0/${phoneNumberId}/media`;
    const response = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: form,
    });
    return { status: response.status, body: await response.json() };
  };
  expect(await upload(kib * 1024)).toMatchObject({ status: 200 });
  expect(await upload(kib * 1024 + 1)).toMatchObject({ status: 400, body: { error: { code: 131053 } } });
});
