import { expect, test } from "vitest";
import { CallbackClient } from "./callbacks";
import { startReceiver } from "./testing";

const limits = { timeoutMs: 100, answerBytesMax: 1024, connectionsMax: 1 };

test("a receiver that never answers fails the call at the time limit and loses the connection", async () => {
  const receiver = await startReceiver();
  const closed = new Promise<void>((resolve) => {
    receiver.answer = (response) => response.on("close", resolve);
  });
  const client = new CallbackClient(receiver.url, limits);
  await expect(client.post(Buffer.from('{"entry":[]}'), {})).rejects.toThrow("no answer in time");
  await closed;
  client.close();
});

test("an answer whose body never ends still tells its status", async () => {
  const receiver = await startReceiver();
  receiver.answer = (response) => void response.writeHead(200).write("begun");
  const client = new CallbackClient(receiver.url, limits);
  expect(await client.post(Buffer.from('{"entry":[]}'), {})).toEqual({ status: 200, body: "begun" });
  client.close();
});
