import { expect, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import { call, phoneNumberId, startWithReceiver, type Receiver } from "./testing";
import { newWamid } from "./wamid";

const from = "4915112345678";
const user_id = "DE.13491208655302741918";
const parent_user_id = "DE.ENT.11815799212886844830";

interface Change {
  readonly field: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** The changes of all callbacks, without the number that they are about. */
function changesAt(receiver: Receiver): Change[] {
  return receiver.posts.flatMap(({ raw }) => {
    const { entry } = JSON.parse(String(raw)) as { entry: { changes: Change[] }[] };
    return entry.flatMap(({ changes }) =>
      changes.map(({ field, value }) => {
        const { messaging_product, metadata, ...content } = value;
        expect([messaging_product, metadata]).toEqual([
          "whatsapp",
          { display_phone_number: "15550783881", phone_number_id: phoneNumberId },
        ]);
        return { field, value: content };
      }),
    );
  });
}

async function changeAfter(input: object): Promise<{ change: Change | undefined; wamid: unknown }> {
  const { simulator, receiver } = await startWithReceiver();
  const answer = await call(simulator, "POST", "/simulator/inbound", {
    phone_number_id: phoneNumberId,
    ...input,
  });
  expect(answer).toMatchObject({ status: 200 });
  await eventually(() => expect(receiver.posts).toHaveLength(1));
  return { change: changesAt(receiver)[0], wamid: (answer.body as { wamid: unknown }).wamid };
}

const media = { id: expect.stringMatching(/^[0-9]{15}$/), sha256: expect.any(String) };
const exact = [
  {
    type: "location",
    content: { latitude: 52.5, longitude: 13.4, name: "Office", address: "Some street 1" },
  },
  { type: "contacts", content: [{ name: { formatted_name: "A" }, phones: [{ phone: "+49 1" }] }] },
  { type: "button", content: { text: "Yes", payload: "yes" } },
  { type: "interactive", content: { type: "button_reply", button_reply: { id: "1", title: "Yes" } } },
  {
    type: "interactive",
    content: { type: "list_reply", list_reply: { id: "1", title: "A", description: "B" } },
  },
  { type: "interactive", content: { type: "nfm_reply", nfm_reply: { body: "Sent", response_json: "{}" } } },
  { type: "reaction", content: { message_id: "wamid.1", emoji: "👍" } },
  { type: "reaction", content: { message_id: "wamid.1" } },
  {
    type: "edit",
    content: { original_message_id: "wamid.1", message: { type: "text", text: { body: "Hello" } } },
  },
  { type: "revoke", content: { original_message_id: "wamid.1" } },
  { type: "order", content: { catalog_id: "1", product_items: [{ product_retailer_id: "a", quantity: 1 }] } },
];

test.each([
  ...exact.map((row) => ({ ...row, expected: row.content })),
  {
    type: "image",
    content: { caption: "Look" },
    expected: { ...media, caption: "Look", mime_type: "image/jpeg" },
  },
  {
    type: "audio",
    content: { voice: true },
    expected: { ...media, voice: true, mime_type: "audio/ogg; codecs=opus" },
  },
  { type: "video", content: { mime_type: "video/3gpp" }, expected: { ...media, mime_type: "video/3gpp" } },
  {
    type: "document",
    content: { id: "1", filename: "a.pdf" },
    expected: { ...media, id: "1", filename: "a.pdf", mime_type: "application/pdf" },
  },
  {
    type: "sticker",
    content: { animated: false },
    expected: { ...media, animated: false, mime_type: "image/webp" },
  },
])("a customer's $type comes in Meta's shape", async ({ type, content, expected }) => {
  const context = { id: "wamid.before", from: "15550783881" };
  const { change, wamid } = await changeAfter({ from, type, context, [type]: content });
  expect(change).toEqual({
    field: "messages",
    value: {
      contacts: [{ profile: { name: "Customer 5678" }, wa_id: from }],
      messages: [
        { from, id: wamid, timestamp: expect.stringMatching(/^[0-9]{10}$/), context, type, [type]: expected },
      ],
    },
  });
});

test("a reaction that is taken back comes without an emoji", async () => {
  const { change } = await changeAfter({
    from,
    type: "reaction",
    reaction: { message_id: "wamid.1", emoji: "" },
  });
  expect(change?.value.messages).toMatchObject([{ reaction: { message_id: "wamid.1" } }]);
  expect(JSON.stringify(change)).not.toContain("emoji");
});

test.each([
  ["of the business", newWamid("outbound", from), { from, user_id }, "15550783881"],
  ["of another system", "wamid.before", { from }, "15550783881"],
  ["of the customer", newWamid("inbound", from), { from }, from],
  ["of a customer without a number", newWamid("inbound", user_id), { user_id }, undefined],
])("a quoted message %s comes with its author", async (_, id, sender, author) => {
  const { change } = await changeAfter({ ...sender, context: { id }, text: { body: "Yes" } });
  const context = { id, ...(author !== undefined && { from: author }) };
  expect(change?.value.messages).toEqual([expect.objectContaining({ context })]);
});

test("what WhatsApp couldn't pass on comes with the error", async () => {
  const { change } = await changeAfter({ from, type: "unsupported", unsupported: { type: "poll" } });
  expect(change?.value).toMatchObject({
    messages: [{ type: "unsupported", unsupported: { type: "poll" }, errors: [{ code: 131051 }] }],
  });
});

test("a sender without a number is known by ids only", async () => {
  const sender = { user_id, parent_user_id, username: "zoe", profile_name: "Zoë" };
  const { change, wamid } = await changeAfter({ ...sender, text: { body: "hi" } });
  expect(change?.value).toEqual({
    contacts: [{ profile: { name: "Zoë", username: "zoe" }, user_id, parent_user_id }],
    messages: [
      {
        from_user_id: user_id,
        from_parent_user_id: parent_user_id,
        id: wamid,
        timestamp: expect.any(String),
        type: "text",
        text: { body: "hi" },
      },
    ],
  });
});

test("a sender may have both a number and an id", async () => {
  const { change } = await changeAfter({ from, user_id, text: { body: "hi" } });
  expect(change?.value).toMatchObject({
    contacts: [{ wa_id: from, user_id }],
    messages: [{ from, from_user_id: user_id }],
  });
});

test.each([
  { type: "user_changed_number", wa_id: "4915187654321", body: "User Zoë changed" },
  { type: "user_changed_user_id", user_id: "DE.2", wa_id: "4915187654321", previous_user_id: user_id },
])("$type comes as a system message without contacts", async (system) => {
  const { change, wamid } = await changeAfter({ from, type: "system", system });
  expect(change).toEqual({
    field: "messages",
    value: { messages: [{ from, id: wamid, timestamp: expect.any(String), type: "system", system }] },
  });
});

test("a call comes in a field of its own", async () => {
  const { change, wamid } = await changeAfter({ from, user_id, type: "call", call: {} });
  expect(wamid).toMatch(/^wacid\./);
  expect(change).toEqual({
    field: "calls",
    value: {
      contacts: [{ profile: { name: "Customer 5678" }, wa_id: from, user_id }],
      calls: [
        {
          id: wamid,
          from,
          from_user_id: user_id,
          to: "15550783881",
          event: "connect",
          timestamp: expect.stringMatching(/^[0-9]{10}$/),
          direction: "USER_INITIATED",
        },
      ],
    },
  });
});

test.each(["stop", "resume"])("a wish to %s marketing messages comes as user_preferences", async (value) => {
  const { change, wamid } = await changeAfter({
    from,
    user_id,
    type: "user_preferences",
    user_preferences: { value },
  });
  expect(wamid).toBeNull();
  expect(change).toEqual({
    field: "user_preferences",
    value: {
      contacts: [{ profile: { name: "Customer 5678" }, wa_id: from, user_id }],
      user_preferences: [
        {
          wa_id: from,
          user_id,
          detail: `User requested to ${value} marketing messages`,
          category: "marketing_messages",
          value,
          timestamp: expect.any(Number),
        },
      ],
    },
  });
});

const text = { body: "hi" };

test.each([
  { what: "nobody", input: { text }, field: "from" },
  { what: "a user id of another form", input: { user_id: "13491208655302741918", text }, field: "user_id" },
  { what: "a parent id for a user id", input: { user_id: parent_user_id, text }, field: "user_id" },
  { what: "an unknown type", input: { from, type: "fax", fax: {} }, field: "type" },
  { what: "a type without its content", input: { from, type: "image" }, field: "image" },
  { what: "another type's content", input: { from, text, image: {} }, field: "image" },
  { what: "no content", input: { from }, field: "text" },
  {
    what: "a reply of two kinds",
    input: { from, type: "interactive", interactive: { type: "button_reply", list_reply: {} } },
    field: "interactive.button_reply",
  },
  {
    what: "an unknown wish",
    input: { from, type: "user_preferences", user_preferences: { value: "maybe" } },
    field: "user_preferences.value",
  },
])("$what is refused by the field's name", async ({ input, field }) => {
  const { simulator } = await startWithReceiver();
  const answer = await call(simulator, "POST", "/simulator/inbound", {
    phone_number_id: phoneNumberId,
    ...input,
  });
  expect(answer).toMatchObject({ status: 400, body: { error: { field } } });
});
