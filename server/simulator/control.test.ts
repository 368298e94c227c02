import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import { call, numberFor, phoneNumberId, startWithReceiver } from "./testing";

const inbound = { phone_number_id: phoneNumberId, from: "4915112345678", text: { body: "Hallo / ☕" } };

test("a customer's message reaches the callback in Meta's shape", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const answer = await call(simulator, "POST", "/simulator/inbound", { ...inbound, profile_name: "Zoë" });
  expect(answer).toEqual({
    status: 200,
    body: { wamid: expect.stringMatching(/^wamid\.[A-Za-z0-9+/]+=*$/) },
  });
  const [post] = await eventually(() => {
    expect(receiver.posts).toHaveLength(1);
    return receiver.posts;
  });
  expect(JSON.parse(String(post?.raw))).toEqual({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "102290129340398",
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "15550783881", phone_number_id: phoneNumberId },
              contacts: [{ profile: { name: "Zoë" }, wa_id: inbound.from }],
              messages: [
                {
                  from: inbound.from,
                  id: (answer.body as { wamid: string }).wamid,
                  timestamp: expect.stringMatching(/^[0-9]{10}$/),
                  text: { body: "Hallo / ☕" },
                  type: "text",
                },
              ],
            },
          },
        ],
      },
    ],
  });
});

test("numbers are kept in a file that only its owner can read, and secrets aren't answered", async () => {
  const { simulator, receiver, directory } = await startWithReceiver();
  const answer = await call(simulator, "PUT", "/simulator/numbers", { numbers: [numberFor(receiver.url)] });
  expect(answer.status).toBe(200);
  expect(JSON.stringify(answer.body)).not.toMatch(/of-the-test/);
  for (const file of ["numbers.json", "ledger.jsonl", "owed.json"]) {
    expect((await stat(join(directory, file))).mode & 0o777).toBe(0o600);
  }
});

const number = numberFor("http://127.0.0.1:1/");
const wrong = [
  {
    what: "a missing secret",
    method: "PUT",
    path: "numbers",
    body: { numbers: [{ ...number, app_secret: undefined }] },
    field: "numbers.0.app_secret",
  },
  {
    what: "an address that is no URL",
    method: "PUT",
    path: "numbers",
    body: { numbers: [{ ...number, callback_url: "file:///etc" }] },
    field: "numbers.0.callback_url",
  },
  {
    what: "an unknown field",
    method: "PUT",
    path: "numbers",
    body: { numbers: [{ ...number, colour: 1 }] },
    field: "numbers.0.colour",
  },
  { what: "no list", method: "PUT", path: "numbers", body: {}, field: "numbers" },
  {
    what: "an unknown number",
    method: "POST",
    path: "inbound",
    body: { ...inbound, phone_number_id: "404" },
    field: "phone_number_id",
  },
  {
    what: "a sender with a plus",
    method: "POST",
    path: "inbound",
    body: { ...inbound, from: "+4915112345678" },
    field: "from",
  },
  {
    what: "an empty text",
    method: "POST",
    path: "inbound",
    body: { ...inbound, text: { body: "" } },
    field: "text.body",
  },
];

test.each(wrong)("$what is refused by the field's name", async ({ method, path, body, field }) => {
  const { simulator } = await startWithReceiver();
  const answer = await call(simulator, method, `/simulator/${path}`, body);
  expect(answer).toMatchObject({ status: 400, body: { error: { field, message: expect.any(String) } } });
});

test("whoever writes to an unknown number is told how to find one", async () => {
  const { simulator } = await startWithReceiver();
  const answer = await call(simulator, "POST", "/simulator/inbound", { ...inbound, phone_number_id: "404" });
  expect(answer).toMatchObject({
    body: { error: { message: expect.stringMatching(/channel list.*demo --json/) } },
  });
});

test("a body that isn't JSON, a wrong method and an unknown path are told apart", async () => {
  const { simulator } = await startWithReceiver();
  expect((await call(simulator, "PUT", "/simulator/numbers", "{")).status).toBe(400);
  expect((await call(simulator, "POST", "/simulator/numbers", {})).status).toBe(405);
  expect((await call(simulator, "GET", "/simulator/nothing")).status).toBe(404);
});
