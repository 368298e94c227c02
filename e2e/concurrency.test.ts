import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { openApi, type Api, type ApiAnswer } from "@/e2e/support/api";
import { createKey, demo, revokeKey, rotateKey, type Demo } from "@/e2e/support/cli";
import { askSharedServer, type SharedServer } from "@/e2e/support/shared-server";
import { readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import type { WaypostAddress } from "@/e2e/support/waypost";

const REQUESTS = 50;
/** A race fails only sometimes, so each runs this often. */
const ROUNDS = 3;
/** Short enough to end within a minute on the slowest machine: after a minute a unit is available again anyway. */
const GIVEN_BACK = { timeoutMs: 5_000 } as const;

/** Two processes on one PostgreSQL: the owner of the data directory, and one attached to it. */
let owner: SharedServer;
let attached: WaypostAddress;
let first: Api;
let second: Api;
let organization: Demo;

beforeAll(async () => {
  owner = await askSharedServer();
  attached = await owner.secondProcess();
  first = await openApi(owner.baseUrl);
  second = await openApi(attached.baseUrl);
  organization = await demo(owner);
});

interface Sending {
  readonly api: Api;
  readonly key: string;
  readonly id: string;
  readonly body?: string;
}

function send({ api, key, id, body = "Hello" }: Sending): Promise<ApiAnswer> {
  const { handle } = organization.contacts.open_window;
  const json = { client_message_id: id, type: "text", to: { kind: "whatsapp", handle }, text: { body } };
  return api.call({ path: "/messages", key, json });
}

/** Sends that many requests concurrently; `sendingOf` gives each by its number. */
function atOnce(count: number, sendingOf: (index: number) => Sending): Promise<ApiAnswer[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => send(sendingOf(index))));
}

/** Counts responses by status. */
function tally(answers: readonly ApiAnswer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Returns the one message id in all accepted responses. */
function messageOf(answers: readonly ApiAnswer[]): string {
  const ids = answers.filter(({ status }) => status < 300).map(({ text }) => JSON.parse(text).message_id);
  const [id] = new Set(ids);
  expect(new Set(ids).size).toBe(1);
  return String(id);
}

/** Waits until the customer has read the message; a second send would have happened by then. */
async function untilRead(key: string, id: string): Promise<void> {
  const isRead = async () => {
    const { text } = await first.call({ path: `/messages/${id}`, key });
    return JSON.parse(text).delivery_state === "read";
  };
  await until(`message ${id} is read`, isRead);
}

async function expectOneCall(key: string, id: string): Promise<void> {
  await untilRead(key, id);
  const { messages, calls } = await readLedger(owner.simulatorUrl);
  const isOfMessage = (entry: { biz_opaque_callback_data: string | null }) =>
    entry.biz_opaque_callback_data === id;
  expect(messages.filter(isOfMessage)).toHaveLength(1);
  expect(calls.filter(isOfMessage)).toHaveLength(1);
}

/** Creates a key with that many units a minute, so few that none is left over by mistake. */
async function newKey(sendLimit: number): Promise<string> {
  const limits = { sendLimit, readLimit: 1_000_000 };
  return (await createKey(owner, organization.organization_id, limits)).secret;
}

/** Checks that exactly that many units are left: that many further messages are accepted, and one more is not. */
async function expectUnitsLeft(key: string, units: number): Promise<void> {
  for (let unit = 0; unit < units; unit += 1) {
    const id = randomUUID();
    // A request that lost a race refunds its unit in the background.
    const isAccepted = async () => (await send({ api: first, key, id })).status === 201;
    await until(`unit ${unit + 1} of ${units} can be used`, isAccepted, GIVEN_BACK);
  }
  expect((await send({ api: first, key, id: randomUUID() })).status).toBe(429);
}

describe("equal requests at the same time", () => {
  it("are one message, one unit and one call upstream", async () => {
    const key = await newKey(ROUNDS + 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = randomUUID();
      const answers = await atOnce(REQUESTS, () => ({ api: first, key, id }));
      expect(tally(answers)).toEqual({ 201: 1, 200: REQUESTS - 1 });
      await expectOneCall(key, messageOf(answers));
    }
    await expectUnitsLeft(key, 1);
  });

  it("are one message when exactly one unit is left, and none is told of a limit", async () => {
    const key = await newKey(2);
    expect((await send({ api: first, key, id: randomUUID() })).status).toBe(201);
    const id = randomUUID();
    const answers = await atOnce(REQUESTS, () => ({ api: first, key, id }));
    expect(tally(answers)).toEqual({ 201: 1, 200: REQUESTS - 1 });
    await expectOneCall(key, messageOf(answers));
    await expectUnitsLeft(key, 0);
  });

  it("with two bodies are one message, and conflicts for the other body", async () => {
    const key = await newKey(ROUNDS + 1);
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = randomUUID();
      const answers = await atOnce(REQUESTS, (index) => ({ api: first, key, id, body: `body ${index % 2}` }));
      expect(tally(answers)).toEqual({ 201: 1, 200: REQUESTS / 2 - 1, 409: REQUESTS / 2 });
      const conflicts = answers.filter(({ status }) => status === 409).map(({ code }) => code);
      expect(new Set(conflicts)).toEqual(new Set(["idempotency_key_reused"]));
      await expectOneCall(key, messageOf(answers));
    }
    await expectUnitsLeft(key, 1);
  });
});

describe("equal requests to two processes", () => {
  const either = (index: number) => (index % 2 === 0 ? first : second);

  it("are one message, one unit and one call upstream", async () => {
    const key = await newKey(ROUNDS + 2);
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = randomUUID();
      const answers = await atOnce(REQUESTS, (index) => ({ api: either(index), key, id }));
      expect(tally(answers)).toEqual({ 201: 1, 200: REQUESTS - 1 });
      await expectOneCall(key, messageOf(answers));
    }
    await expectUnitsLeft(key, 2);
  });

  it("with two bodies are one message, and conflicts for the other body", async () => {
    const key = await newKey(ROUNDS + 2);
    for (let round = 0; round < ROUNDS; round += 1) {
      const id = randomUUID();
      const bodyOf = (index: number) => `body ${index % 4 < 2 ? 0 : 1}`;
      const answers = await atOnce(REQUESTS, (index) => ({
        api: either(index),
        key,
        id,
        body: bodyOf(index),
      }));
      const winner = answers.findIndex(({ status }) => status === 201);
      const expected = answers.map((_, index) => {
        if (index === winner) return 201;
        return bodyOf(index) === bodyOf(winner) ? 200 : 409;
      });
      expect(answers.map(({ status }) => status)).toEqual(expected);
      await expectOneCall(key, messageOf(answers));
    }
    await expectUnitsLeft(key, 2);
  });

  it("with one unit left are one message, and who was told of the limit gets it by repeating", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const key = await newKey(1);
      const id = randomUUID();
      const answers = await atOnce(REQUESTS, (index) => ({ api: either(index), key, id }));
      const { 201: accepted, 200: repeated = 0, 429: limited = 0 } = tally(answers);
      expect({ accepted, answered: repeated + limited }).toEqual({ accepted: 1, answered: REQUESTS - 1 });
      const repeats = await atOnce(2, (index) => ({ api: either(index), key, id }));
      expect(tally(repeats)).toEqual({ 200: 2 });
      await expectOneCall(key, messageOf([...answers, ...repeats]));
    }
  });
});

describe("an API key that ends", () => {
  const statusesOf = async (key: string) => {
    const answers = await Promise.all([first, second].map((api) => api.call({ path: "/ping", key })));
    return answers.map(({ status, code }) => code ?? status);
  };

  it("is refused by the very next request on two processes once the command to revoke it returns", async () => {
    const { id, secret } = await createKey(owner, organization.organization_id);
    expect(await statusesOf(secret)).toEqual([200, 200]);
    await revokeKey(owner, id);
    expect(await statusesOf(secret)).toEqual(["api_key_revoked", "api_key_revoked"]);
  });

  it("is refused by the very next request on two processes once it was rotated", async () => {
    const { id, secret } = await createKey(owner, organization.organization_id);
    expect(await statusesOf(secret)).toEqual([200, 200]);
    const rotated = await rotateKey(attached, id);
    expect(await statusesOf(secret)).toEqual(["api_key_revoked", "api_key_revoked"]);
    expect(await statusesOf(rotated.secret)).toEqual([200, 200]);
  });

  it("accepts nothing after its revocation, though requests were under way, and sends all it accepted", async () => {
    const { id, secret } = await createKey(owner, organization.organization_id, { sendLimit: 1_000_000 });
    const accepted: string[] = [];
    const acceptedTooLate: string[] = [];
    let isRevoked = false;
    const client = async (api: Api) => {
      for (;;) {
        const isLate = isRevoked;
        const { status, code, text } = await send({ api, key: secret, id: randomUUID() });
        if (status !== 201) return code;
        const { message_id: messageId } = JSON.parse(text);
        accepted.push(messageId);
        if (isLate) acceptedTooLate.push(messageId);
      }
    };
    const clients = Promise.all([first, second, first, second].map(client));
    await until("messages are accepted", () => accepted.length >= 20);
    await revokeKey(owner, id);
    isRevoked = true;
    expect(new Set(await clients)).toEqual(new Set(["api_key_revoked"]));
    expect(acceptedTooLate).toEqual([]);

    const allHandedOver = async () => {
      const { messages } = await readLedger(owner.simulatorUrl);
      const handedOver = new Set(messages.map((message) => message.biz_opaque_callback_data));
      return accepted.every((messageId) => handedOver.has(messageId));
    };
    await until("every accepted message is handed over", allHandedOver, { intervalMs: 200 });
  });
});
