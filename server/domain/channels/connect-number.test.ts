import { createHmac, randomInt } from "node:crypto";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { having, upstreamTemplate } from "@/server/domain/templates/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";
import { hashVerifyToken } from "./connect";
import { connectNumber } from "./connect-number";

let world: TestWorld;
let ctx: Context<SystemActor>;
/** In place of Meta. */
let upstream: Loopback;
/** Its received requests: path and query, never the token. */
let asked: string[];
/** The number that is being connected: the account's only one. */
let phoneNumberId: string;
let answerNumber: (res: ServerResponse) => void;
let answerTemplates: (res: ServerResponse) => void;

const SECRETS = { accessToken: "the-access-token-of-a-test", appSecret: "the-app-secret" } as const;

beforeAll(async () => {
  world = await openTestWorld();
  upstream = await serveOnLoopback((req, res) => {
    asked.push(req.url ?? "");
    const [path = ""] = (req.url ?? "").split("?");
    if (path.endsWith("/message_templates")) return answerTemplates(res);
    if (path.endsWith("/debug_token")) return answerJson(res, 200, { data: { is_valid: true } });
    if (path.endsWith("/phone_numbers")) return answerJson(res, 200, { data: [{ id: phoneNumberId }] });
    return answerNumber(res);
  });
  ctx = await createTestOrganization(
    servicesWith(world.services, { urls: { upstream: () => upstream.url } }),
  );
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});
beforeEach(() => {
  asked = [];
  answerNumber = (res) => answerJson(res, 200, { id: "1", display_phone_number: "+1 555 010 0123" });
  const call = { method: "GET", path: "/", query: {}, authorization: undefined, body: null };
  answerTemplates = (res) => having([upstreamTemplate()])(res, call);
});

const inputOf = (preferences: object = {}) => ({
  name: "Shop",
  phoneNumberId: String(randomInt(2 ** 47)),
  wabaId: "102290129340398",
  ...SECRETS,
  ...preferences,
});
const connect = (preferences: object = {}, as: Context = ctx) => {
  const input = inputOf(preferences);
  ({ phoneNumberId } = input);
  return connectNumber({ ctx: as, input });
};

const channelsOf = () =>
  world.database.sql`select id from channels where organization_id = ${ctx.actor.organizationId}`;

const graphError = (code: number, message: string, status: number) => (res: ServerResponse) =>
  answerJson(res, status, { error: { code, message } });

test("a number is saved that could be read, as Meta writes it, with its templates", async () => {
  const member = await asMember(ctx, "admin");
  const { channelId, verifyToken } = await connect({ phoneNumberId: "4711", isDefault: true }, member);
  const proof = createHmac("sha256", SECRETS.appSecret).update(SECRETS.accessToken).digest("hex");
  expect(asked.find((url) => url.includes("/4711"))).toMatch(
    new RegExp(`/4711\\?fields=.*&appsecret_proof=${proof}$`),
  );
  const [row] = await world.database.sql`select * from channels where id = ${channelId}`;
  expect(row).toMatchObject({
    upstream: "meta",
    display_phone_number: "+1 555 010 0123",
    is_default: true,
    verify_token_hash: hashVerifyToken(verifyToken),
    templates_synced_at: expect.any(Date),
    templates_failure: null,
  });
  expect(verifyToken).toMatch(/^[\w-]{32}$/);
  const templates = await world.database.sql`select name from templates where channel_id = ${channelId}`;
  expect(templates).toEqual([{ name: "order_update" }]);
  const [act] = await world.database
    .sql`select actor_id, detail::text from audit_log where subject_id = ${channelId}`;
  expect(act?.actor_id).toBe(member.actor.memberId);
  expect(act?.detail).not.toMatch(/the-(access|app)/);
  expect(act?.detail).not.toContain(verifyToken);
});

test("a verify token of one's own is taken", async () => {
  expect(await connect({ verifyToken: "of-my-own" })).toMatchObject({ verifyToken: "of-my-own" });
});

test("templates that can't be read in whole don't keep the number from being connected, and the channel says so", async () => {
  answerTemplates = (res) => answerJson(res, 200, { nonsense: true });
  const { channelId } = await connect();
  const [row] = await world.database.sql`select * from channels where id = ${channelId}`;
  expect(row).toMatchObject({
    templates_synced_at: null,
    templates_failure: "the answer isn't a list of templates",
  });
});

describe("nothing is saved", () => {
  test.each<[string, string, (res: ServerResponse) => void]>([
    ["accessToken", "token", graphError(190, "Session has expired", 401)],
    ["phoneNumberId", "number", graphError(100, "Object with this ID does not exist", 400)],
    ["appSecret", "app secret", graphError(100, "Invalid appsecret_proof provided in the API argument", 400)],
  ])("where Meta refuses %s, and its words stand there", async (field, _, behaviour) => {
    const before = await channelsOf();
    answerNumber = behaviour;
    const connecting = connect();
    await expect(connecting).rejects.toMatchObject({
      code: "validation_failed",
      field,
      message: expect.stringMatching(/^`\w+` .*Meta says: \(#\d+\) /),
    });
    await expect(connecting).rejects.not.toThrow(/the-(access|app)/);
    expect(await channelsOf()).toEqual(before);
  });

  test("where Meta refuses the account", async () => {
    const before = await channelsOf();
    answerTemplates = graphError(100, "Object with this ID does not exist", 400);
    await expect(connect()).rejects.toMatchObject({ code: "validation_failed", field: "wabaId" });
    expect(await channelsOf()).toEqual(before);
  });

  test.each<[string, (res: ServerResponse) => void]>([
    ["breaks off", (res) => res.socket?.resetAndDestroy()],
    ["fails", graphError(2, "Service unavailable", 500)],
    ["answers nonsense", (res) => res.end("<html>")],
    ["answers without end", (res) => res.end("x".repeat(1_000_000))],
    ["names no number", (res) => answerJson(res, 200, { id: "1" })],
  ])("where Meta %s, and it says so", async (_, behaviour) => {
    const before = await channelsOf();
    answerNumber = behaviour;
    await expect(connect()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringMatching(
        /^Meta couldn't be reached to check the number \(.+\)\. Nothing was saved/,
      ),
    });
    expect(await channelsOf()).toEqual(before);
  });

  test("of a number that is connected already", async () => {
    const { channelId } = await connect({ phoneNumberId: "4712" });
    await expect(connect({ phoneNumberId: "4712" })).rejects.toMatchObject({
      code: "validation_failed",
      field: "phoneNumberId",
      message: expect.stringContaining(channelId),
    });
  });

  test("by who may not manage channels, and Meta isn't asked", async () => {
    await expect(connect({}, await asMember(ctx, "agent"))).rejects.toMatchObject({
      code: "permission_denied",
    });
    expect(asked).toEqual([]);
  });
});
