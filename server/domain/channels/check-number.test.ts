import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Meta, metaAt, type MetaNumber, startMeta } from "@/e2e/support/meta";
import { failNumber } from "@/e2e/support/simulator";
import { answerJson } from "@/server/adapters/whatsapp/testing";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";
import { checkNumber } from "./check-number";
import { connectNumber } from "./connect-number";
import { NUMBER_CHECKS, type NumberCheck } from "./number-checks";
import { subscribeNumbersApp } from "./subscribe-app";

let world: TestWorld;
let metaServer: Awaited<ReturnType<typeof startMeta>>;
let meta: Meta;
let ctx: Context<SystemActor>;
let member: Context;

beforeAll(async () => {
  world = await openTestWorld();
  metaServer = await startMeta();
  meta = metaAt(metaServer.url);
  ctx = await contextAt(() => metaServer.url);
  member = await asMember(ctx, "admin");
});
afterAll(async () => {
  await metaServer.stop();
  await world.close();
});

const contextAt = (upstream: () => string | null) =>
  createTestOrganization(servicesWith(world.services, { urls: { upstream } }));

type Credentials = Pick<MetaNumber, "phoneNumberId" | "wabaId" | "accessToken" | "appSecret">;

const check = (
  name: NumberCheck,
  { phoneNumberId, wabaId, accessToken, appSecret }: Credentials,
  as: Context = member,
) => checkNumber({ ctx: as, input: { check: name, phoneNumberId, wabaId, accessToken, appSecret } });

const connect = ({ phoneNumberId, wabaId, accessToken, appSecret }: Credentials) =>
  connectNumber({ ctx: member, input: { name: "Shop", phoneNumberId, wabaId, accessToken, appSecret } });

const channelsAt = (phoneNumberId: string) =>
  world.database.sql`select id from channels where phone_number_id = ${phoneNumberId}`;

test("each check of a number that works passes, and saves nothing", async () => {
  const number = await meta.addNumber();
  const results = [];
  for (const name of NUMBER_CHECKS) results.push(await check(name, number));
  expect(results).toEqual([
    {
      kind: "passed",
      detail: "Belongs to the app “Waypost Simulator App”. It has both permissions. It doesn’t expire.",
      warning: null,
    },
    { kind: "passed", detail: "The token can read the account and its templates.", warning: null },
    { kind: "passed", detail: `${number.displayPhoneNumber} belongs to the account.`, warning: null },
    {
      kind: "passed",
      detail: "Belongs to the same app as the token.",
      warning: null,
      displayPhoneNumber: number.displayPhoneNumber,
    },
    { kind: "passed", detail: "The app receives the account’s events.", warning: null },
  ]);
  expect(await channelsAt(number.phoneNumberId)).toEqual([]);
});

test("a token that expires passes, with a warning that says when", async () => {
  const number = await meta.addNumber({ token_expires_at: Date.UTC(2096, 1, 3, 4, 5) / 1000 });
  expect(await check("token", number)).toMatchObject({
    kind: "passed",
    warning: expect.stringContaining("It expires on 2096-02-03 04:05 UTC."),
  });
});

describe("a check fails, the number isn't connected, and both say which value and why:", () => {
  const only = (permission: string) => ({ permissions: [permission] });
  test.each<[string, NumberCheck, object, Partial<Credentials>, string, RegExp]>([
    [
      "a wrong token",
      "token",
      {},
      { accessToken: "EAAwrong" },
      "accessToken",
      /Meta says: \(#190\) Invalid OAuth/,
    ],
    ["an expired token", "token", { token_expires_at: 1 }, {}, "accessToken", /Meta says: \(#190\)/],
    [
      "a token that may not send",
      "token",
      only("whatsapp_business_management"),
      {},
      "accessToken",
      /lacks the permission whatsapp_business_messaging\./,
    ],
    [
      "a token that may nothing",
      "token",
      only("email"),
      {},
      "accessToken",
      /lacks the permission whatsapp_business_messaging and whatsapp_business_management\./,
    ],
    [
      "an unknown account",
      "account",
      {},
      { wabaId: "1" },
      "wabaId",
      /Meta says: \(#100\) Unsupported request/,
    ],
    [
      "an unknown number",
      "number",
      {},
      { phoneNumberId: "1" },
      "phoneNumberId",
      /isn't the id of a number of this account/,
    ],
    [
      "another app's secret",
      "secret",
      {},
      { appSecret: "wrong" },
      "appSecret",
      /different app.*Meta says: \(#100\) Invalid appsecret_proof/,
    ],
  ])("%s", async (_, name, settings, changes, field, words) => {
    const number = { ...(await meta.addNumber(settings)), ...changes };
    const before = NUMBER_CHECKS.slice(0, NUMBER_CHECKS.indexOf(name));
    for (const earlier of before) expect(await check(earlier, number)).toMatchObject({ kind: "passed" });
    const result = await check(name, number);
    expect(result).toMatchObject({ kind: "failed", field, message: expect.stringMatching(words) });
    expect(JSON.stringify(result)).not.toContain(number.accessToken);
    await expect(connect(number)).rejects.toMatchObject({
      code: "validation_failed",
      field,
      message: expect.stringMatching(words),
    });
    expect(await channelsAt(number.phoneNumberId)).toEqual([]);
  });

  test("another account's number, with the ids of this account's numbers", async () => {
    const [mine, other] = [await meta.addNumber(), await meta.addNumber()];
    expect(await check("number", { ...mine, phoneNumberId: other.phoneNumberId })).toMatchObject({
      kind: "failed",
      field: "phoneNumberId",
      advice: expect.stringContaining(`${mine.phoneNumberId} (${mine.displayPhoneNumber})`),
    });
  });

  test("a token whose permission for the account was removed", async () => {
    const number = await meta.addNumber();
    await failNumber(metaServer.url, number.phoneNumberId, "permission_missing");
    expect(await check("account", number)).toMatchObject({
      kind: "failed",
      field: "wabaId",
      advice: expect.stringContaining("Assign assets"),
    });
  });
});

test("an app that isn't subscribed fails the last check, can be subscribed, and the number is connected without it", async () => {
  const number = await meta.addNumber({ app_subscribed: false });
  expect(await check("webhooks", number)).toMatchObject({
    kind: "failed",
    field: null,
    message: "The app isn’t subscribed to the account’s events.",
  });
  const { wabaId, accessToken } = number;
  await expect(
    subscribeNumbersApp({ ctx: member, input: { wabaId: "1", accessToken } }),
  ).rejects.toMatchObject({ code: "validation_failed", field: "wabaId" });
  expect(await check("webhooks", number)).toMatchObject({ kind: "failed" });
  await expect(connect(number)).resolves.toMatchObject({ channelId: expect.any(String) });
  await subscribeNumbersApp({ ctx: member, input: { wabaId, accessToken } });
  expect(await check("webhooks", number)).toMatchObject({ kind: "passed" });
});

describe("where Meta gives no clear answer", () => {
  let upstream: Loopback;
  let answer: (res: ServerResponse) => void;
  let there: Context;
  beforeAll(async () => {
    upstream = await serveOnLoopback((_, res) => answer(res));
    there = await asMember(await contextAt(() => upstream.url), "admin");
  });
  afterAll(() => upstream.close());
  const number = {
    phoneNumberId: "1",
    wabaId: "2",
    accessToken: "EAAsome-access-token",
    appSecret: "secret",
  };

  test.each<[string, (res: ServerResponse) => void]>([
    ["breaks off", (res) => res.socket?.resetAndDestroy()],
    ["fails", (res) => answerJson(res, 500, { error: { code: 2, message: "Service unavailable" } })],
    ["limits the calls", (res) => answerJson(res, 400, { error: { code: 4, message: "Limit reached" } })],
    ["answers nonsense", (res) => res.end("<html>")],
    ["answers something else", (res) => answerJson(res, 200, { data: 7 })],
    ["answers without end", (res) => res.end("x".repeat(1_000_000))],
  ])("that %s, each check says so, and blames no value", async (_, behaviour) => {
    answer = behaviour;
    for (const name of NUMBER_CHECKS) {
      // An account counts as readable, whatever the answer lists.
      if (name === "account" && _ === "answers something else") continue;
      expect(await check(name, number, there), name).toMatchObject({
        kind: "failed",
        field: null,
        message: expect.stringMatching(
          /^Meta couldn't be reached to check the number \(.+\)\. Nothing was saved/,
        ),
      });
    }
  });

  test("and its address isn't known, nothing is asked", async () => {
    const nowhere = await contextAt(() => null);
    expect(await check("token", number, nowhere)).toMatchObject({ kind: "failed", field: null });
  });

  test("a token that Meta doesn't describe is left to the next checks", async () => {
    answer = (res) => answerJson(res, 400, { error: { code: 100, message: "You must be a developer" } });
    expect(await check("token", number, there)).toMatchObject({
      kind: "passed",
      detail: expect.stringContaining("doesn’t report"),
    });
  });
});

test("members who may not manage channels are refused, and Meta isn't asked", async () => {
  const nobody = await asMember(await contextAt(() => "http://127.0.0.1:9"), "agent");
  const number = { phoneNumberId: "1", wabaId: "2", accessToken: "token", appSecret: "secret" };
  await expect(check("token", number, nobody)).rejects.toMatchObject({ code: "permission_denied" });
  await expect(
    subscribeNumbersApp({ ctx: nobody, input: { wabaId: "2", accessToken: "token" } }),
  ).rejects.toMatchObject({ code: "permission_denied" });
});
