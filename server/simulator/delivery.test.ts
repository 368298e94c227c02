import { expect, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import {
  call,
  numberFor,
  owedTotal,
  phoneNumberId,
  putNumbers,
  send,
  signatureOf,
  startForTest,
  startReceiver,
  startWithReceiver,
  temporaryDirectory,
  textMessage,
  type Receiver,
} from "./testing";

const to = "4915112345678";

function statusNames(receiver: Receiver): string[] {
  return [...new Set(receiver.statuses().map(({ status }) => status))].toSorted();
}

test("the signature is over the exact bytes, which escape all that isn't ASCII as Meta does", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const text = { body: "Grüße / 👋\u2028" };
  await call(simulator, "POST", "/simulator/inbound", { phone_number_id: phoneNumberId, from: to, text });
  await eventually(() => expect(receiver.posts).toHaveLength(1));
  const [post] = receiver.posts;
  const raw = post?.raw ?? Buffer.alloc(0);
  expect(raw.toString("latin1")).toContain('"Gr\\u00fc\\u00dfe \\/ \\ud83d\\udc4b\\u2028"');
  expect(raw.every((byte) => byte < 0x7f)).toBe(true);
  expect(post?.signature).toBe(signatureOf(raw, "secret-of-the-test"));
  expect(post?.values[0]?.messages?.[0]?.text).toEqual(text);
});

test("verifies once before the first callback, and again after a change of the token", async () => {
  const { simulator, receiver } = await startWithReceiver();
  await send(simulator, textMessage(to));
  await eventually(() => expect(statusNames(receiver)).toEqual(["delivered", "read", "sent"]));
  expect(receiver.verifications.map((query) => Object.fromEntries(query))).toEqual([
    {
      "hub.mode": "subscribe",
      "hub.challenge": expect.stringMatching(/^[0-9]+$/),
      "hub.verify_token": "verify-of-the-test",
    },
  ]);

  await putNumbers(simulator, [numberFor(receiver.url, { verify_token: "another" })]);
  await send(simulator, textMessage(to));
  await eventually(async () => expect(await owedTotal(simulator)).toBe(0));
  expect(receiver.verifications.map((query) => query.get("hub.verify_token"))).toEqual([
    "verify-of-the-test",
    "another",
  ]);
});

test("holds callbacks back until the receiver echoes the challenge", async () => {
  const { simulator, receiver } = await startWithReceiver();
  const answers = [
    [403, "no"],
    [200, "something else"],
    [200, "x".repeat(100_000)],
  ] as const;
  const postsAtVerification: number[] = [];
  receiver.verify = (response, query) => {
    const [status, body] = answers[receiver.verifications.length - 1] ?? [
      200,
      query.get("hub.challenge") ?? "",
    ];
    response.writeHead(status).end(body);
    postsAtVerification.push(receiver.posts.length);
  };
  await send(simulator, textMessage(to));
  await eventually(() => expect(statusNames(receiver)).toEqual(["delivered", "read", "sent"]));
  expect(postsAtVerification).toEqual([0, 0, 0, 0]);
});

const misbehaviours: { what: string; answer: Receiver["answer"] }[] = [
  { what: "answers 500", answer: (response) => response.writeHead(500).end("down") },
  { what: "redirects", answer: (response) => response.writeHead(302, { location: "/elsewhere" }).end() },
  { what: "answers 201", answer: (response) => response.writeHead(201).end() },
  { what: "closes the connection", answer: (response) => response.destroy() },
  {
    what: "switches protocols",
    answer: (response) =>
      response.socket?.end("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n"),
  },
  { what: "answers no HTTP", answer: (response) => response.socket?.end("\0nonsense\r\n\r\n") },
];

test.each(misbehaviours)("a receiver that $what gets the same callbacks again", async ({ answer }) => {
  const { simulator, receiver } = await startWithReceiver();
  const healthy = receiver.answer;
  receiver.answer = (response, post) =>
    receiver.posts.length <= 2 ? answer(response, post) : healthy(response, post);
  await send(simulator, textMessage(to, "message-1"));
  await eventually(async () => expect(await owedTotal(simulator)).toBe(0));
  expect(statusNames(receiver)).toEqual(["delivered", "read", "sent"]);
  expect(receiver.statuses().filter(({ status }) => status === "sent").length).toBeGreaterThan(1);
});

test("a 200 with an endless body counts as delivered and is cut off", async () => {
  const { simulator, receiver } = await startWithReceiver();
  let cut = 0;
  receiver.answer = (response) => {
    response.on("close", () => (cut += 1));
    const pour = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", pour);
    pour();
  };
  await send(simulator, textMessage(to));
  await eventually(async () => expect(await owedTotal(simulator)).toBe(0));
  await eventually(() => expect(cut).toBe(receiver.posts.length));
  expect(receiver.statuses().map(({ status }) => status)).toEqual(["sent", "delivered", "read"]);
});

test("a receiver that hangs or is down doesn't delay the others", async () => {
  const { simulator, receiver: hanging } = await startWithReceiver();
  hanging.answer = () => undefined;
  const healthy = await startReceiver();
  await putNumbers(simulator, [
    numberFor(healthy.url, { phone_number_id: "222" }),
    numberFor("http://127.0.0.1:1/", { phone_number_id: "333" }),
  ]);
  await send(simulator, textMessage(to), { numberId: "333" });
  await send(simulator, textMessage(to));
  await eventually(() => expect(hanging.posts.length).toBeGreaterThan(0));
  await send(simulator, textMessage(to), { numberId: "222" });
  await eventually(() => expect(healthy.statuses()).toHaveLength(3));
  expect(await call(simulator, "GET", "/simulator/owed")).toMatchObject({
    body: { total: 6, by_phone_number_id: { [phoneNumberId]: 3, "333": 3 } },
  });
});

test("one callback that the receiver always refuses doesn't hold the others for ever", async () => {
  const { simulator, receiver } = await startWithReceiver();
  receiver.answer = (response, { raw }) => response.writeHead(raw.includes("poison") ? 500 : 200).end();
  const others = ["a", "b", "c", "d"];
  await Promise.all(
    ["a", "b", "poison", "c", "d"].map((data) => send(simulator, textMessage("4915112399001", data))),
  );
  await eventually(async () => expect(await owedTotal(simulator)).toBe(1));
  const taken = receiver.posts
    .filter(({ raw }) => !raw.includes("poison"))
    .flatMap(({ values }) => values.flatMap(({ statuses }) => statuses ?? []));
  expect(taken.map((status) => String(status.biz_opaque_callback_data)).toSorted()).toEqual(others);

  await send(simulator, textMessage("4915112399001", "late"));
  await eventually(async () => expect(await owedTotal(simulator)).toBe(1));
});

test("after an outage that was answered with 503 the batches are large again at once", async () => {
  const { simulator, receiver } = await startWithReceiver();
  receiver.answer = (response) => response.writeHead(503).end();
  const numbers = Array.from({ length: 300 }, (_, index) => String(index));
  await Promise.all(numbers.map((data) => send(simulator, textMessage("4915112399001", data))));
  await eventually(() => expect(receiver.posts.at(-1)?.values[0]?.statuses).toHaveLength(1));
  receiver.posts.length = 0;
  receiver.answer = (response) => response.end();
  await eventually(async () => expect(await owedTotal(simulator)).toBe(0));
  expect(receiver.posts.length).toBeLessThan(30);
});

test("due callbacks of several numbers and accounts share a POST over a kept connection", async () => {
  const { simulator, receiver } = await startWithReceiver();
  receiver.verify = (response) => response.writeHead(503).end();
  await putNumbers(simulator, [numberFor(receiver.url, { phone_number_id: "222", waba_id: "777" })]);
  for (const numberId of [phoneNumberId, "222"]) {
    await Promise.all(
      Array.from({ length: 100 }, () => send(simulator, textMessage("4915112399001"), { numberId })),
    );
  }
  await eventually(() => expect(receiver.verifications.length).toBeGreaterThan(0));
  // Now all are due, also the last ones.
  expect(await call(simulator, "POST", "/clock", { advance: "1s" })).toMatchObject({ status: 200 });
  receiver.verify = (response, query) => response.end(query.get("hub.challenge"));
  await eventually(() => expect(receiver.statuses()).toHaveLength(200));
  expect(receiver.posts).toHaveLength(1);
  expect(
    receiver.posts[0]?.values.map(({ metadata, statuses }) => [metadata.phone_number_id, statuses?.length]),
  ).toEqual([
    [phoneNumberId, 100],
    ["222", 100],
  ]);

  await send(simulator, textMessage(to));
  await eventually(() => expect(receiver.statuses()).toHaveLength(203));
  expect(new Set(receiver.posts.map(({ connection }) => connection)).size).toBe(1);
});

test("no POST holds more than 1000 statuses", async () => {
  const { simulator, receiver } = await startWithReceiver();
  receiver.verify = (response) => response.writeHead(503).end();
  for (let round = 0; round < 11; round += 1) {
    await Promise.all(Array.from({ length: 100 }, () => send(simulator, textMessage("4915112399001"))));
  }
  receiver.verify = (response, query) => response.end(query.get("hub.challenge"));
  await eventually(() => expect(receiver.statuses()).toHaveLength(1100));
  const sizes = receiver.posts.map(({ values }) => values.flatMap(({ statuses }) => statuses ?? []).length);
  expect(Math.max(...sizes)).toBe(1000);
});

test("what is owed follows the number to its new address", async () => {
  const directory = await temporaryDirectory();
  const simulator = await startForTest(directory);
  await putNumbers(simulator, [numberFor("http://127.0.0.1:1/")]);
  await send(simulator, textMessage(to));
  const receiver = await startReceiver();
  await putNumbers(simulator, [numberFor(receiver.url, { app_secret: "new-secret" })]);
  await eventually(() => expect(statusNames(receiver)).toEqual(["delivered", "read", "sent"]));
  for (const { raw, signature } of receiver.posts) expect(signature).toBe(signatureOf(raw, "new-secret"));
});
