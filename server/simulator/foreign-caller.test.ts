import { expect, test } from "vitest";
import { startSimulator } from "./start";
import {
  ledgerOf,
  numberFor,
  putNumbers,
  silentLog,
  startForTest,
  statusOf,
  temporaryDirectory,
} from "./testing";

const ROUTES = [
  ["GET", "/ledger"],
  ["GET", "/simulator/owed"],
  ["PUT", "/simulator/numbers"],
  ["POST", "/simulator/inbound"],
  ["POST", "/simulator/statuses"],
  ["PUT", "/simulator/templates/state"],
  ["PUT", "/simulator/numbers/106540352242922/failure"],
  ["DELETE", "/simulator/media/1"],
  ["POST", "/v23.0/106540352242922/messages"],
  ["GET", "/v23.0/106540352242922"],
  ["GET", "/unknown"],
] as const;

test.each(ROUTES)(
  "%s %s refuses web pages: those that name an origin, and those of a foreign host",
  async (method, path) => {
    const { url } = await startForTest(await temporaryDirectory());
    const { host, port } = new URL(url);
    const type = { "content-type": "text/plain" };
    for (const origin of ["https://evil.example", "null", `http://${host}`])
      expect(await statusOf(url, method, path, { ...type, origin })).toBe(403);
    for (const foreign of [
      "evil.example",
      `evil.example:${port}`,
      `localhost.evil.example:${port}`,
      "127.0.0.1.evil.example",
      "10.0.0.7",
      "evil.example@localhost",
    ])
      expect(await statusOf(url, method, path, { ...type, host: foreign })).toBe(403);
    expect(await statusOf(url, method, path, type)).not.toBe(403);
  },
);

test("a page that posts a customer's message as plain text brings about nothing", async () => {
  const simulator = await startForTest(await temporaryDirectory());
  await putNumbers(simulator, [numberFor("http://127.0.0.1:9/none")]);
  const headers = { "content-type": "text/plain", origin: "https://evil.example" };
  expect(await statusOf(simulator.url, "POST", "/simulator/inbound", headers)).toBe(403);
  expect(await statusOf(simulator.url, "POST", "/simulator/inbound", { "content-type": "text/plain" })).toBe(
    200,
  );
  expect((await ledgerOf(simulator)).messages).toEqual([]);
});

test("loopback addresses in every form are taken, and the name that it is configured with", async () => {
  const options = { directory: await temporaryDirectory(), port: 0, log: silentLog };
  const simulator = await startSimulator({ ...options, hostNames: ["simulator.internal"] });
  const statuses = [];
  for (const host of [
    "localhost",
    "LOCALHOST:3001",
    "127.0.0.1:1",
    "127.1.2.3",
    "[::1]:3001",
    "simulator.internal:80",
    "Simulator.Internal",
  ])
    statuses.push(await statusOf(simulator.url, "GET", "/ledger", { host }));
  await simulator.stop();
  expect(new Set(statuses)).toEqual(new Set([200]));
});
