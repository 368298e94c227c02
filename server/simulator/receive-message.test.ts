import { createHmac } from "node:crypto";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { AppendFile } from "./files";
import { eventually } from "../../e2e/support/eventually";
import {
  call,
  ledgerOf,
  numberFor,
  owedTotal,
  phoneNumberId,
  putNumbers,
  send,
  startWithReceiver,
  textMessage,
} from "./testing";

const to = "4915112345678";

const refusals = [
  {
    why: "no messaging_product",
    message: { to, type: "text" },
    code: 100,
    text: /messaging_product is required/,
  },
  {
    why: "another product",
    message: { ...textMessage(to), messaging_product: "sms" },
    code: 100,
    text: /WHATSAPP/,
  },
  {
    why: "a foreign recipient type",
    message: { ...textMessage(to), recipient_type: "pet" },
    code: 100,
    text: /recipient_type/,
  },
  {
    why: "no recipient",
    message: { ...textMessage(to), to: undefined },
    code: 100,
    text: /parameter to is required/,
  },
  { why: "a recipient that is no number", message: textMessage("hello"), code: 131009, text: /not valid/ },
  {
    why: "an unknown type",
    message: { ...textMessage(to), type: "fax" },
    code: 100,
    text: /Param type must be one of/,
  },
  {
    why: "a type named like an object member",
    message: { ...textMessage(to), type: "constructor" },
    code: 100,
    text: /Param type/,
  },
  {
    why: "no content",
    message: { ...textMessage(to), text: undefined },
    code: 131008,
    text: /Required parameter/,
  },
  {
    why: "an empty text",
    message: { ...textMessage(to), text: { body: "" } },
    code: 100,
    text: /text\['body'\]/,
  },
  {
    why: "a text of 4097",
    message: { ...textMessage(to), text: { body: "😀".repeat(4097) } },
    code: 100,
    text: /at most 4096/,
  },
  { why: "callback data of 513", message: textMessage(to, "x".repeat(513)), code: 100, text: /at most 512/ },
  {
    why: "media without id or link",
    message: { ...textMessage(to), type: "image", image: {} },
    code: 131008,
    text: /Required/,
  },
  {
    why: "a template without language",
    message: { ...textMessage(to), type: "template", template: { name: "a" } },
    code: 131008,
    text: /Required/,
  },
  { why: "the sender as recipient", message: textMessage("15550783881"), code: 131021, text: /sender/ },
  { why: "a list", message: [1], code: 100, text: /required/ },
  { why: "null", message: "null", code: 100, text: /JSON object/ },
  { why: "broken JSON", message: '{"to":', code: 100, text: /not valid JSON/ },
];

test.each(refusals)("refuses $why as Meta does, and notes the call", async ({ message, code, text }) => {
  const { simulator } = await startWithReceiver();
  const answer = await send(simulator, message);
  expect(answer).toMatchObject({
    status: 400,
    body: { error: { code, type: "OAuthException", message: expect.stringMatching(text) } },
  });
  const { calls, messages } = await ledgerOf(simulator);
  expect(calls).toMatchObject([{ status: 400, code, wamid: null, phone_number_id: phoneNumberId }]);
  expect(messages).toEqual([]);
});

test.each([
  { type: "image", content: { link: "https://example.com/a.png" } },
  { type: "contacts", content: [{ name: { formatted_name: "A" } }] },
])("accepts a well-formed $type and keeps its content object", async ({ type, content }) => {
  const { simulator } = await startWithReceiver();
  const { status } = await send(simulator, { ...textMessage(to), type, [type]: content });
  expect(status).toBe(200);
  expect((await ledgerOf(simulator)).messages).toMatchObject([{ type, body: content }]);
});

test("accepts the longest text and callback data, and a number in written form", async () => {
  const { simulator } = await startWithReceiver();
  const body = "😀".repeat(4096);
  const data = "x".repeat(512);
  const answer = await send(simulator, { ...textMessage("+49 (151) 1234-5678", data), text: { body } });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      contacts: [{ input: "+49 (151) 1234-5678", wa_id: to }],
      messages: [{ id: expect.stringMatching(/^wamid\./) }],
    },
  });
  expect((await ledgerOf(simulator)).messages).toMatchObject([{ body, biz_opaque_callback_data: data }]);
});

test("an unknown or missing token is 190, a number that the token can't see is 100/33", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const other = numberFor(receiver.url, { phone_number_id: "222", access_token: "token-2" });
  await putNumbers(simulator, [other]);

  const wrong = await send(simulator, textMessage(to), { token: "wrong" });
  expect(wrong).toMatchObject({ status: 401, body: { error: { code: 190, type: "OAuthException" } } });
  const missing = await call(simulator, "POST", `/v23.0/${phoneNumberId}/messages`, textMessage(to));
  expect(missing).toMatchObject({ status: 401, body: { error: { code: 190 } } });
  const hidden = {
    status: 400,
    body: { error: { code: 100, error_subcode: 33, type: "GraphMethodException" } },
  };
  expect(await send(simulator, textMessage(to), { token: "token-2" })).toMatchObject(hidden);
  expect(await send(simulator, textMessage(to), { numberId: "333" })).toMatchObject(hidden);
  expect((await ledgerOf(simulator)).messages).toEqual([]);
});

test("takes any version of the path, and none, and refuses other paths in Graph's shape", async () => {
  const { simulator } = await startWithReceiver();
  const headers = { authorization: "bearer token-of-the-test" };
  for (const version of ["v16.0", "v24.0", "v123.1"]) {
    const answer = await call(
      simulator,
      "POST",
      `/${version}/${phoneNumberId}/messages`,
      textMessage(to),
      headers,
    );
    expect(answer.status).toBe(200);
  }
  const path = `/${phoneNumberId}/messages`;
  expect((await call(simulator, "POST", path, textMessage(to), headers)).status).toBe(200);
  for (const path of ["/v23/messages", `/${phoneNumberId}/nothing`]) {
    const unknown = await call(simulator, "POST", path, textMessage(to), headers);
    expect(unknown).toMatchObject({ status: 400, body: { error: { code: 2500 } } });
  }
});

test("takes the token in the query too, and prefers the header's", async () => {
  const { simulator } = await startWithReceiver();
  const path = (token: string) => `/v24.0/${phoneNumberId}/messages?access_token=${token}`;
  expect((await call(simulator, "POST", path("token-of-the-test"), textMessage(to))).status).toBe(200);
  expect((await call(simulator, "POST", path("another"), textMessage(to))).status).toBe(401);
  const headers = { authorization: "Bearer another" };
  const answer = await call(simulator, "POST", path("token-of-the-test"), textMessage(to), headers);
  expect(answer).toMatchObject({ status: 401, body: { error: { code: 190 } } });
});

test("answers the phone number with the fields asked for", async () => {
  const { simulator } = await startWithReceiver();
  const headers = { authorization: "Bearer token-of-the-test" };
  const get = (query: string) =>
    call(simulator, "GET", `/v23.0/${phoneNumberId}${query}`, undefined, headers);
  expect((await get("")).body).toMatchObject({
    id: phoneNumberId,
    quality_rating: "GREEN",
    verified_name: expect.any(String),
  });
  expect(await get("?fields=display_phone_number,status")).toEqual({
    status: 200,
    body: { id: phoneNumberId, display_phone_number: "+1 555-078-3881", status: "CONNECTED" },
  });
  expect(await get("?fields=constructor")).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  expect(await call(simulator, "GET", `/v23.0/${phoneNumberId}`)).toMatchObject({ status: 401 });
});

test("holds a proof of the app's secret against the token, where one is brought", async () => {
  const { simulator } = await startWithReceiver();
  const token = "token-of-the-test";
  const get = (secret: string) => {
    const proof = createHmac("sha256", secret).update(token).digest("hex");
    const path = `/v23.0/${phoneNumberId}?fields=id&appsecret_proof=${proof}`;
    return call(simulator, "GET", path, undefined, { authorization: `Bearer ${token}` });
  };
  expect(await get("secret-of-the-test")).toMatchObject({ status: 200 });
  expect(await get("another")).toMatchObject({
    status: 400,
    body: { error: { code: 100, message: "Invalid appsecret_proof provided in the API argument" } },
  });
});

test("a body over 1 MB is refused and the simulator goes on", async () => {
  const { simulator } = await startWithReceiver();
  const answer = await send(simulator, { ...textMessage(to), text: { body: "x".repeat(1024 * 1024) } });
  expect([413, 0]).toContain(answer.status);
  expect((await ledgerOf(simulator)).calls).toMatchObject([{ status: 413, code: 100 }]);
  expect((await send(simulator, textMessage(to))).status).toBe(200);
});

test("bytes that are no HTTP and callers that hang up do no harm", async () => {
  const { simulator } = await startWithReceiver();
  const { port } = new URL(simulator.url);
  const path = `/v23.0/${phoneNumberId}/messages`;
  for (const bytes of [
    "\0\u0001\u0002 nonsense\r\n\r\n",
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{"to":`,
    `POST ${path} HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n\xff\xfe`,
    "GET /%00%zz?%E0%A4%A HTTP/1.1\r\nhost: a\r\n\r\n",
  ]) {
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), "127.0.0.1", () => socket.end(Buffer.from(bytes, "latin1")));
      socket.on("error", () => resolve());
      socket.on("close", () => resolve());
      socket.resume();
    });
  }
  expect((await send(simulator, textMessage(to))).status).toBe(200);
});

test("concurrent messages each get their own line, and no token or secret reaches the ledger", async () => {
  const { simulator, directory } = await startWithReceiver();
  const numbers = Array.from({ length: 200 }, (_, index) => String(index));
  const answers = await Promise.all(numbers.map((data) => send(simulator, textMessage(to, data))));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const { messages } = await ledgerOf(simulator);
  expect(new Set(messages.map((message) => message.biz_opaque_callback_data))).toEqual(new Set(numbers));
  expect(messages).toHaveLength(200);
  expect(new Set(messages.map(({ wamid }) => wamid)).size).toBe(200);
  expect(await readFile(join(directory, "ledger.jsonl"), "utf8")).not.toMatch(
    /(token|secret|verify)-of-the-test/,
  );
});

test("the ledger can be narrowed to one number", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await putNumbers(simulator, [numberFor(receiver.url, { phone_number_id: "222" })]);
  await send(simulator, textMessage(to, "first"));
  await send(simulator, textMessage(to, "second"), { numberId: "222" });
  const { messages, calls } = await ledgerOf(simulator, "?phone_number_id=222");
  expect(messages).toMatchObject([{ phone_number_id: "222", biz_opaque_callback_data: "second" }]);
  expect(calls).toHaveLength(1);
});

test("no answer goes out while its ledger line is being written", async () => {
  const { simulator } = await startWithReceiver();
  let letWrite = () => {};
  const gate = new Promise<void>((resolve) => (letWrite = resolve));
  const append = vi.spyOn(AppendFile.prototype, "append").mockReturnValueOnce(gate);
  onTestFinished(() => append.mockRestore());

  let answered = false;
  const sending = send(simulator, textMessage("4915112399041")).then((answer) => {
    answered = true;
    return answer;
  });
  await eventually(() => expect(append).toHaveBeenCalledTimes(1));
  await ledgerOf(simulator);
  expect(answered).toBe(false);
  letWrite();
  expect((await sending).status).toBe(200);
});

test("a message whose ledger line can't be written is refused as a transient error and owes no callback", async () => {
  const { simulator } = await startWithReceiver();
  const append = vi.spyOn(AppendFile.prototype, "append").mockRejectedValueOnce(new Error("disk full"));
  onTestFinished(() => append.mockRestore());
  expect(await send(simulator, textMessage(to))).toMatchObject({ status: 500, body: { error: { code: 2 } } });
  expect(await owedTotal(simulator)).toBe(0);
  expect((await ledgerOf(simulator)).calls).toEqual([]);
  expect((await send(simulator, textMessage(to))).status).toBe(200);
});
