import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { recordOutcomes } from "@/server/domain/messages/deliver/record-outcomes";
import { openConversation, queueText, startCall } from "@/server/domain/messages/testing";
import { callEndpoint } from "./call";
import { claimDeliveries } from "./claim";
import { deliverToEndpoint } from "./deliver";
import { WEBHOOK_EVENT_SCHEMAS } from "../events/event-schemas";
import { recordDeliveries } from "./record";
import { newWebhookSecret, webhookSecretPurpose } from "../endpoints/secret";
import {
  addEndpoint,
  deliveriesOf,
  endpointRow,
  endpointWith,
  makeDue,
  openWebhookWorld,
  type ReceivedCall,
  webhookAuditOf,
  type WebhookWorld,
  within,
} from "../testing";

let world: WebhookWorld;

beforeAll(async () => {
  world = await openWebhookWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.receiver.calls.length = 0;
  world.receiver.answersStatus(204);
});

/** A message of the world's organization that WhatsApp accepted. */
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
    expect(world.notifiedEndpoints).toContain(id);
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
    expect(call?.headers["webhook-id"]).toBe(delivery?.webhookId);
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
      if (delivery?.pauseMs != null) waits.push(delivery.pauseMs / 1000);
      await makeDue(world, id);
    }
    expect(waits).toHaveLength(9);
    [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].forEach((step, index) => {
      expect(waits[index]).toBeGreaterThan(step * 0.8 - 1);
      expect(waits[index]).toBeLessThan(step * 1.2 + 1);
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

test("during a rotation either secret verifies, and afterwards only the present one", async () => {
  const { id, secret } = await endpointWith(world, 1);
  const former = newWebhookSecret();
  const formerSecretEncrypted = world.services.vault.encrypt(former, webhookSecretPurpose(id));
  await world.sql`
    insert into webhook_former_secrets (id, organization_id, endpoint_id, secret_encrypted, ends_at)
    select gen_random_uuid(), organization_id, id, ${formerSecretEncrypted}, now() + interval '1 hour'
    from webhook_endpoints where id = ${id}`;
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
  await world.sql`update webhook_former_secrets set ends_at = now() where endpoint_id = ${id}`;
  await world.sql`update webhook_deliveries set state = 'pending', next_attempt_at = now() where endpoint_id = ${id}`;
  await deliverToEndpoint(world.services, id);
  expect(verifiedBy(world.receiver.calls[1])).toEqual([
    [true, true],
    [false, false],
  ]);
});

interface AnswerCase {
  readonly answers: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly class: string | null;
  readonly state?: string;
  /** The range of seconds until the next attempt. */
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
    const { id } = await endpointWith(world, 1);
    world.receiver.answersStatus(status, headers);
    await deliverToEndpoint(world.services, id);
    const [delivery] = await deliveriesOf(world, id);
    expect(delivery).toMatchObject({ state, tries: [{ number: 1, httpStatus: status, errorClass }] });
    expect(world.receiver.calls).toHaveLength(1);
    expect(delivery?.pauseMs).toSatisfy(within(waits));
  });

  test("of 410 disables the endpoint at once, and the rest is skipped", async () => {
    const { id, ctx } = await endpointWith(world, 3);
    world.receiver.answersStatus(410);
    const { services } = world;
    const [claimed] = await claimDeliveries(services, id, 1);
    if (!claimed) throw new Error("Nothing was claimed");
    await recordDeliveries(services, [
      { delivery: claimed, attemptResult: await callEndpoint(services, claimed), isRetried: true },
    ]);
    await deliverToEndpoint(services, id);
    expect((await deliveriesOf(world, id)).map(({ state }) => state).sort()).toEqual([
      "failed",
      "skipped",
      "skipped",
    ]);
    expect(world.receiver.calls).toHaveLength(1);
    expect(await endpointRow(world, id)).toMatchObject({ disabledReason: "gone" });
    expect(await webhookAuditOf(world, ctx.actor.organizationId)).toEqual([
      { action: "webhook.disabled", actorKind: "system", reason: "gone" },
    ]);
  });

  test("that is no answer: nobody listens, the connection is reset, no address", async () => {
    const refused = await endpointWith(world, 1, { url: "http://127.0.0.1:9/hook" });
    world.allowed.add("127.0.0.1:9");
    const reset = await endpointWith(world, 1);
    world.receiver.answers((response) => void response.destroy());
    const nowhere = await endpointWith(world, 1, { url: "https://nowhere.invalid/hook" });
    const inside = await endpointWith(world, 1, { url: "https://169.254.169.254/latest" });
    for (const { id } of [refused, reset, nowhere, inside]) await deliverToEndpoint(world.services, id);
    const classOf = async (id: string) => (await deliveriesOf(world, id))[0]?.tries[0]?.errorClass;
    expect(await Promise.all([refused, reset, nowhere, inside].map(({ id }) => classOf(id)))).toEqual([
      "connection",
      "reset",
      "dns",
      "forbidden",
    ]);
    for (const { id } of [refused, reset, nowhere, inside]) {
      expect(await endpointRow(world, id)).toMatchObject({ backoffStreak: 1 });
      expect((await deliveriesOf(world, id))[0]?.pauseMs).toSatisfy(within([4, 6]));
    }
  });

  test.each([
    ["of characters of two bytes", "é".repeat(4_000), "é".repeat(1_024)],
    ["up to the character that isn't whole", `a${"é".repeat(4_000)}`, `a${"é".repeat(1_023)}`],
    ["without what PostgreSQL can't store", `no \0 ${"a".repeat(4_000)}`, `no  ${"a".repeat(2_043)}`],
  ])("is kept, 2,048 bytes of it, %s", async (_, body, kept) => {
    const { id } = await endpointWith(world, 1);
    world.receiver.answers((response) => void response.writeHead(500).end(body));
    await deliverToEndpoint(world.services, id);
    expect((await deliveriesOf(world, id))[0]?.tries[0]?.answer).toBe(kept);
  });
});
