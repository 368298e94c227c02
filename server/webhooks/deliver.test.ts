import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createTestOrganization } from "../organizations/testing";
import { recordOutcomes } from "../messages/record-outcomes";
import { openConversation, queueText, startCall } from "../messages/testing";
import { createSlots } from "../slots";
import { until } from "@/e2e/support/until";
import { callEndpoint } from "./call";
import { claimDeliveries, dueAfterNow, dueEndpoints, IN_FLIGHT_MAX, releaseExpiredDeliveries } from "./claim";
import { recordDeliveries } from "./record";
import { newWebhookSecret, webhookSecretPurpose } from "./secret";
import { deliverToEndpoint } from "./deliver";
import { WEBHOOK_EVENT_SCHEMAS } from "./event-schemas";
import {
  addDeliveries,
  addEndpoint,
  deliveriesOf,
  makeDue,
  openWebhookWorld,
  type ReceivedCall,
  type WebhookWorld,
} from "./testing";

let world: WebhookWorld;

beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.calls.length = 0;
  world.receiver.answersStatus(204);
});

/** A new endpoint of an organization that has no other, with so many deliveries due. */
async function endpointWith(count: number, endpoint: Parameters<typeof addEndpoint>[1] = {}) {
  const ctx = { ...(await createTestOrganization(world.services)), services: world.services };
  const added = await addEndpoint(ctx, { url: world.receiver.url, ...endpoint });
  await addDeliveries(ctx, added.id, count);
  return { ...added, ctx };
}

/** A message of the world's organization that WhatsApp took. */
async function sendMessage(): Promise<string> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const messageId = await queueText(world.ctx, threadId);
  const { attemptId } = await startCall(world, messageId);
  const detail = { httpStatus: 200, upstreamCode: null, reason: "accepted" };
  await recordOutcomes(world.services, [
    { attemptId, messageId, outcome: { kind: "accepted", upstreamId: `wamid.${messageId}`, detail } },
  ]);
  return messageId;
}

describe("a delivery", () => {
  test("is made with the stored bytes, and verifies with the published packages", async () => {
    const { id, secret } = await addEndpoint(world.ctx, {
      url: world.receiver.url,
      events: ["message.sent"],
    });
    const messageId = await sendMessage();
    expect(world.wokenEndpoints).toContain(id);
    await deliverToEndpoint(world.services, id);
    const [call, ...others] = world.receiver.calls;
    expect(others).toEqual([]);
    const [delivery] = await deliveriesOf(world, id);
    expect(delivery).toMatchObject({
      state: "delivered",
      type: "message.sent",
      attempts: 1,
      isClaimed: false,
    });
    expect(call?.body).toBe(delivery?.body);
    expect(call?.headers["webhook-id"]).toBe(delivery?.id);
    const headers = Object.fromEntries(
      Object.entries(call?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    const verified = new Webhook(secret).verify(call?.body ?? "", headers);
    expect(new SvixWebhook(secret).verify(call?.body ?? "", headers)).toEqual(verified);
    const event = WEBHOOK_EVENT_SCHEMAS["message.sent"].parse(verified);
    expect(event.data).toMatchObject({
      message_id: messageId,
      previous_state: "queued",
      sequence: 1,
      inferred: false,
    });
  });

  test("that fails is tried again after each step of the schedule, and then has failed", async () => {
    const { id } = await addEndpoint(world.ctx, { url: world.receiver.url, events: ["message.sent"] });
    await sendMessage();
    world.receiver.answersStatus(500);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      await deliverToEndpoint(world.services, id);
      const [delivery] = await deliveriesOf(world, id);
      expect(delivery?.tries).toHaveLength(attempt);
      if (delivery?.waitMs != null) waits.push(delivery.waitMs / 1000);
      await makeDue(world, id);
    }
    expect(waits).toHaveLength(9);
    [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].forEach((step, index) => {
      expect(waits[index]).toBeGreaterThan(step * 0.8 - 1);
      expect(waits[index]).toBeLessThanOrEqual(step * 1.2);
    });
    const [delivery] = await deliveriesOf(world, id);
    expect(delivery).toMatchObject({ state: "failed", waitMs: null, attempts: 10 });
    expect(
      new Set(world.receiver.calls.map(({ headers, body }) => `${String(headers["webhook-id"])} ${body}`))
        .size,
    ).toBe(1);
    await deliverToEndpoint(world.services, id);
    expect(world.receiver.calls).toHaveLength(10);
  });
});

interface AnswerCase {
  readonly answers: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly class: string | null;
  readonly state?: string;
  /** Seconds between which the next attempt comes. */
  readonly waits: readonly [number, number] | null;
}

describe("an answer", () => {
  const minute = 60;
  test.each<AnswerCase>([
    { answers: "204", status: 204, class: null, state: "delivered", waits: null },
    { answers: "200", status: 200, class: null, state: "delivered", waits: null },
    {
      answers: "301",
      status: 301,
      headers: { location: "http://127.0.0.1:9/" },
      class: "redirect",
      waits: [4, 6],
    },
    { answers: "400", status: 400, class: "status", waits: [4, 6] },
    { answers: "404", status: 404, class: "status", waits: [4, 6] },
    { answers: "500", status: 500, class: "status", waits: [4, 6] },
    {
      answers: "503 and Retry-After",
      status: 503,
      headers: { "retry-after": "8" },
      class: "status",
      waits: [7, 8],
    },
    {
      answers: "503 and a long Retry-After",
      status: 503,
      headers: { "retry-after": "900" },
      class: "status",
      waits: [9, 10],
    },
    { answers: "429", status: 429, class: "rate_limited", waits: [minute - 1, minute] },
    {
      answers: "429 and seconds",
      status: 429,
      headers: { "retry-after": "7" },
      class: "rate_limited",
      waits: [minute - 1, minute],
    },
    {
      answers: "429 and a date",
      status: 429,
      headers: { "retry-after": new Date(Date.now() + 7_000).toUTCString() },
      class: "rate_limited",
      waits: [minute - 1, minute],
    },
    {
      answers: "429 and nonsense",
      status: 429,
      headers: { "retry-after": "soon" },
      class: "rate_limited",
      waits: [minute - 1, minute],
    },
  ])("$answers", async ({ status, headers, class: errorClass, state = "pending", waits }) => {
    const { id } = await endpointWith(1);
    world.receiver.answersStatus(status, headers);
    await deliverToEndpoint(world.services, id);
    const [delivery] = await deliveriesOf(world, id);
    expect(delivery).toMatchObject({ state, tries: [{ number: 1, httpStatus: status, errorClass }] });
    expect(world.receiver.calls).toHaveLength(1);
    expectWait(delivery?.waitMs ?? null, waits);
  });

  test("of 410 disables the endpoint at once, and the rest is skipped", async () => {
    const { id, ctx } = await endpointWith(3);
    world.receiver.answersStatus(410);
    const { services } = world;
    const [claimed] = await claimDeliveries(services, id, 1);
    if (!claimed) throw new Error("Nothing was claimed");
    await recordDeliveries(services, [
      { delivery: claimed, verdict: await callEndpoint(services, claimed), isRetried: true },
    ]);
    await deliverToEndpoint(services, id);
    expect((await deliveriesOf(world, id)).map(({ state }) => state).sort()).toEqual([
      "failed",
      "skipped",
      "skipped",
    ]);
    expect(world.receiver.calls).toHaveLength(1);
    expect(await endpointRow(id)).toMatchObject({ disabledReason: "gone" });
    expect(await auditOf(ctx.actor.organizationId)).toEqual([
      { action: "webhook.disabled", actorKind: "system", reason: "gone" },
    ]);
  });

  test("that is no answer: nobody listens, the connection is reset, no address", async () => {
    const refused = await endpointWith(1, { url: "http://127.0.0.1:9/hook" });
    world.allowed.add("127.0.0.1:9");
    const reset = await endpointWith(1);
    world.receiver.answers((response) => void response.destroy());
    const nowhere = await endpointWith(1, { url: "https://nowhere.invalid/hook" });
    const inside = await endpointWith(1, { url: "https://169.254.169.254/latest" });
    for (const { id } of [refused, reset, nowhere, inside]) await deliverToEndpoint(world.services, id);
    const classOf = async (id: string) => (await deliveriesOf(world, id))[0]?.tries[0]?.errorClass;
    expect(await Promise.all([refused, reset, nowhere, inside].map(({ id }) => classOf(id)))).toEqual([
      "connection",
      "reset",
      "dns",
      "forbidden",
    ]);
    for (const { id } of [refused, reset, nowhere, inside]) {
      expect(await endpointRow(id)).toMatchObject({ backoffStreak: 1 });
      expectWait((await deliveriesOf(world, id))[0]?.waitMs ?? null, [4, 6]);
    }
  });

  test("is kept, two kilobytes of it", async () => {
    const { id } = await endpointWith(1);
    world.receiver.answers((response) => void response.writeHead(500).end(`no \0 ${"é".repeat(4_000)}`));
    await deliverToEndpoint(world.services, id);
    const answer = (await deliveriesOf(world, id))[0]?.tries[0]?.answer ?? "";
    expect(answer.startsWith("no ")).toBe(true);
    expect(answer).not.toContain("\0");
    expect(Buffer.byteLength(answer)).toBeLessThanOrEqual(2_060);
  });
});

describe("an endpoint that can't be reached", () => {
  test("is asked by one delivery at a time, and the others don't use up their schedule", async () => {
    const { id } = await endpointWith(5);
    world.receiver.answers((response) => void response.destroy());
    const { services } = world;
    for (let probe = 0; probe < 4; probe++) {
      await makeDue(world, id);
      await deliverToEndpoint(services, id);
    }
    // The first claim took all that were due, for nothing was known; each later one took one.
    const tries = (await deliveriesOf(world, id)).map(({ attempts }) => attempts);
    expect(tries.reduce((sum, one) => sum + one, 0)).toBe(5 + 3);
    expect(await endpointRow(id)).toMatchObject({ backoffStreak: 4 });
    const before = world.receiver.calls.length;
    await world.sql`update webhook_deliveries set next_attempt_at = now() where endpoint_id = ${id}`;
    await deliverToEndpoint(services, id);
    expect(world.receiver.calls.length).toBe(before);
    world.receiver.answersStatus(200);
    await makeDue(world, id);
    await deliverToEndpoint(services, id);
    expect(await endpointRow(id)).toMatchObject({ backoffStreak: 0, failingSince: null });
    expect((await deliveriesOf(world, id)).map(({ state }) => state)).toEqual(Array(5).fill("delivered"));
  });

  test("is woken again when its back-off ends", async () => {
    const { id } = await endpointWith(2);
    world.receiver.answers((response) => void response.destroy());
    await deliverToEndpoint(world.services, id);
    const { backoffUntil } = await endpointRow(id);
    const at = await dueAfterNow(world.services, id);
    expect(at?.getTime()).toBeGreaterThanOrEqual(backoffUntil?.getTime() ?? Number.POSITIVE_INFINITY);
    expect(await dueEndpoints(world.services)).not.toContain(id);
    await makeDue(world, id);
    expect(await dueEndpoints(world.services)).toContain(id);
  });
});

describe("an endpoint that fails", () => {
  test("is told of in the audit log after an hour, and disabled after five days", async () => {
    const { id, ctx } = await endpointWith(1);
    world.receiver.answersStatus(500);
    const failsSince = async (hours: number) => {
      await world.sql`update webhook_endpoints set failing_since = now() - make_interval(hours => ${hours}) where id = ${id}`;
      await makeDue(world, id);
      await deliverToEndpoint(world.services, id);
    };
    await deliverToEndpoint(world.services, id);
    const { failingSince } = await endpointRow(id);
    expect(failingSince).not.toBeNull();
    await failsSince(1);
    await failsSince(2);
    expect(await endpointRow(id)).toMatchObject({ disabledReason: null });
    await failsSince(5 * 24);
    expect(await endpointRow(id)).toMatchObject({ disabledReason: "failing" });
    expect(await auditOf(ctx.actor.organizationId)).toEqual([
      { action: "webhook.failing", actorKind: "system", reason: null },
      { action: "webhook.disabled", actorKind: "system", reason: "failing" },
    ]);
    await addDeliveries(ctx, id, 1);
    await deliverToEndpoint(world.services, id);
    expect((await deliveriesOf(world, id)).map(({ state }) => state)).toEqual(["skipped", "skipped"]);
  });
});

describe("the calls in flight", () => {
  test("of one endpoint are no more than its limit, over two processes", async () => {
    const { id } = await endpointWith(100);
    let running = 0;
    let most = 0;
    const held: (() => void)[] = [];
    world.receiver.answers((response) => {
      running += 1;
      most = Math.max(most, running);
      held.push(() => {
        running -= 1;
        response.writeHead(204).end();
      });
    });
    const processes = [
      { ...world.services, webhookSlots: createSlots(128) },
      { ...world.services, webhookSlots: createSlots(128) },
    ];
    const runs = processes.map((services) => deliverToEndpoint(services, id));
    await until("the endpoint has all its calls", async () => running === IN_FLIGHT_MAX);
    await until("all are answered", async () => {
      held.splice(0).forEach((answer) => answer());
      return world.receiver.calls.length === 100 && running === 0;
    });
    await Promise.all(runs);
    expect(most).toBe(IN_FLIGHT_MAX);
    expect(
      (await deliveriesOf(world, id)).every(({ state, attempts }) => state === "delivered" && attempts === 1),
    ).toBe(true);
  });

  test("of a process that died are tried again, and counted in the schedule", async () => {
    const { id } = await endpointWith(1);
    await claimDeliveries(world.services, id, 10);
    await releaseExpiredDeliveries(world.services);
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "pending", isClaimed: true }]);
    await world.sql`update webhook_deliveries set claimed_until = now() - interval '1 second' where endpoint_id = ${id}`;
    await releaseExpiredDeliveries(world.services);
    expect(await deliveriesOf(world, id)).toMatchObject([
      { state: "pending", isClaimed: false, attempts: 1, tries: [{ number: 1, errorClass: "interrupted" }] },
    ]);
    expectWait((await deliveriesOf(world, id))[0]?.waitMs ?? null, [0, 6]);
    await makeDue(world, id);
    await deliverToEndpoint(world.services, id);
    expect(await deliveriesOf(world, id)).toMatchObject([
      { state: "delivered", attempts: 2, tries: [{}, { errorClass: null }] },
    ]);
  });

  test("of a process that dies each time end when the schedule does", async () => {
    const { id } = await endpointWith(1);
    for (let attempt = 1; attempt <= 10; attempt++) {
      await makeDue(world, id);
      expect(await claimDeliveries(world.services, id, 1)).toHaveLength(1);
      await world.sql`update webhook_deliveries set claimed_until = now() - interval '1 second' where endpoint_id = ${id}`;
      await releaseExpiredDeliveries(world.services);
    }
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "failed", attempts: 10, waitMs: null }]);
  });

  test("count as delivered also when the answer comes after the claim has run out", async () => {
    const { id } = await endpointWith(1);
    const [claimed] = await claimDeliveries(world.services, id, 1);
    if (!claimed) throw new Error("Nothing was claimed");
    await world.sql`update webhook_deliveries set claimed_until = now() - interval '1 second' where endpoint_id = ${id}`;
    await releaseExpiredDeliveries(world.services);
    const verdict = await callEndpoint(world.services, claimed);
    await recordDeliveries(world.services, [{ delivery: claimed, verdict, isRetried: true }]);
    expect(await deliveriesOf(world, id)).toMatchObject([{ state: "delivered", waitMs: null }]);
  });
});

describe("what isn't sent", () => {
  test("waits for an endpoint without an address, however often it is looked for", async () => {
    const { id } = await endpointWith(1, { url: null });
    await deliverToEndpoint(world.services, id);
    expect(world.receiver.calls).toEqual([]);
  });

  test("is skipped where the endpoint was disabled meanwhile, also what isn't due yet", async () => {
    const { id } = await endpointWith(2);
    await world.sql`update webhook_deliveries set next_attempt_at = now() + interval '1 day' where endpoint_id = ${id}`;
    await world.sql`update webhook_endpoints set disabled_at = now(), disabled_reason = 'member' where id = ${id}`;
    expect(await dueEndpoints(world.services)).toContain(id);
    await deliverToEndpoint(world.services, id);
    expect((await deliveriesOf(world, id)).map(({ state }) => state)).toEqual(["skipped", "skipped"]);
    expect(await dueEndpoints(world.services)).not.toContain(id);
    expect(world.receiver.calls).toEqual([]);
  });

  test("is what was erased, and that is no failure of the endpoint", async () => {
    const { id } = await endpointWith(1);
    await world.sql`update webhook_events set body = null where id in (select event_id from webhook_deliveries where endpoint_id = ${id})`;
    await deliverToEndpoint(world.services, id);
    expect(await deliveriesOf(world, id)).toMatchObject([
      { state: "failed", tries: [{ errorClass: "erased" }] },
    ]);
    expect(world.receiver.calls).toEqual([]);
    expect(await endpointRow(id)).toMatchObject({ failingSince: null });
  });
});

test("during a rotation either secret verifies, and afterwards only the present one", async () => {
  const { id, secret } = await endpointWith(1);
  const former = newWebhookSecret();
  const formerSecretEncrypted = world.services.vault.encrypt(former, webhookSecretPurpose(id));
  await world.sql`
    update webhook_endpoints set former_secret_encrypted = ${formerSecretEncrypted},
      former_secret_ends_at = now() + interval '1 hour' where id = ${id}`;
  const verifies = (
    call: ReceivedCall | undefined,
    by: string,
    Verifier: typeof Webhook | typeof SvixWebhook,
  ) => {
    const headers = Object.fromEntries(
      Object.entries(call?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    try {
      new Verifier(by).verify(call?.body ?? "", headers);
      return true;
    } catch {
      return false;
    }
  };
  const verifiedBy = (call: ReceivedCall | undefined) =>
    [secret, former].map((by) => [Webhook, SvixWebhook].map((Verifier) => verifies(call, by, Verifier)));
  await deliverToEndpoint(world.services, id);
  expect(verifiedBy(world.receiver.calls[0])).toEqual([
    [true, true],
    [true, true],
  ]);
  await world.sql`update webhook_endpoints set former_secret_ends_at = now() where id = ${id}`;
  await world.sql`update webhook_deliveries set state = 'pending', next_attempt_at = now() where endpoint_id = ${id}`;
  await deliverToEndpoint(world.services, id);
  expect(verifiedBy(world.receiver.calls[1])).toEqual([
    [true, true],
    [false, false],
  ]);
});

/** @param seconds between which it is; null where nothing is to come. */
function expectWait(waitMs: number | null, seconds: readonly number[] | null): void {
  const [least, most] = seconds ?? [];
  if (least === undefined || most === undefined) return expect(waitMs).toBeNull();
  expect(waitMs).toBeGreaterThan(least * 1000 - 1_000);
  expect(waitMs).toBeLessThanOrEqual(most * 1000);
}

async function endpointRow(id: string) {
  const [row] = await world.sql<
    {
      disabledReason: string | null;
      failingSince: Date | null;
      backoffStreak: number;
      backoffUntil: Date | null;
    }[]
  >`
    select disabled_reason as "disabledReason", failing_since as "failingSince", backoff_streak as "backoffStreak",
      backoff_until as "backoffUntil" from webhook_endpoints where id = ${id}`;
  if (!row) throw new Error(`There is no endpoint ${id}`);
  return row;
}

function auditOf(organizationId: string) {
  return world.sql`
    select action, actor_kind as "actorKind", detail->>'reason' as reason from audit_log
    where organization_id = ${organizationId} and subject_kind = 'webhook' order by created_at, id`.then(
    (rows) => [...rows],
  );
}
