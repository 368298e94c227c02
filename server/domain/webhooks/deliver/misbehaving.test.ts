import { once } from "node:events";
import { connect } from "node:net";
import { createServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { OutboundClient } from "@/server/adapters/outbound/post";
import { MISBEHAVIOURS, type Misbehaviour } from "@/server/adapters/outbound/testing-misbehaviours";
import { startDeafReceiver, startReceiver } from "@/server/adapters/outbound/testing-receiver";
import { selfSigned } from "@/server/adapters/whatsapp/testing-tls";
import { deliverToEndpoint } from "./deliver";
import {
  deliveriesOf,
  endpointRow,
  endpointWith,
  openWebhookWorld,
  type WebhookWorld,
  within,
} from "../testing";

/** Instead of the receiver's fifteen seconds, in tests that wait for a timeout. */
const SOON_MS = 300;
const TIMEOUT_MS = 15_000;

let world: WebhookWorld;
const timeoutsMs = new Set<number>();

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());

/** The same client, which records the time limit of each call. An unresponsive receiver gets a short one. */
function watched(outbound: OutboundClient, isSilent: boolean): OutboundClient {
  return {
    ...outbound,
    post(call) {
      timeoutsMs.add(call.timeoutMs);
      return outbound.post(isSilent ? { ...call, timeoutMs: SOON_MS } : call);
    },
  };
}

/** Makes one delivery to a loopback port. */
async function deliverTo(
  port: number,
  { scheme = "http", isSilent = false }: { scheme?: "http" | "https"; isSilent?: boolean } = {},
) {
  world.allowed.add(`127.0.0.1:${port}`);
  const { id } = await endpointWith(world, 1, { url: `${scheme}://127.0.0.1:${port}/` });
  const outbound = watched(world.services.outbound, isSilent);
  await deliverToEndpoint({ ...world.services, outbound }, id);
  const [delivery] = await deliveriesOf(world, id);
  return { delivery, endpoint: await endpointRow(world, id) };
}

/** Returns a delivery's expected state, by the result of the receiver's call. */
function expectedOf({ expected }: Misbehaviour) {
  if ("failure" in expected) {
    const waits = expected.failure === "timeout" ? OVERLOADED : FIRST_STEP;
    return { state: "pending", errorClass: expected.failure, httpStatus: null, waits, isLeftAlone: true };
  }
  const { httpStatus } = expected;
  if (httpStatus < 300)
    return { state: "delivered", errorClass: null, httpStatus, waits: null, isLeftAlone: false };
  const answered = { httpStatus, isLeftAlone: httpStatus === 429 };
  if (httpStatus === 410) return { ...answered, state: "failed", errorClass: "gone", waits: null };
  if (httpStatus === 429)
    return { ...answered, state: "pending", errorClass: "rate_limited", waits: OVERLOADED };
  // No receiver asks for more than that.
  const waits =
    expected.retryAfter === undefined || expected.retryAfter === null ? FIRST_STEP : FIRST_STEP_TWICE;
  return { ...answered, state: "pending", errorClass: httpStatus < 400 ? "redirect" : "status", waits };
}

const FIRST_STEP = [4, 6] as const;
const FIRST_STEP_TWICE = [4, 10] as const;
const OVERLOADED = [60, 60] as const;

describe("a receiver that", () => {
  test.for(MISBEHAVIOURS)("$does", async (misbehaviour, { onTestFinished }) => {
    const receiver = await startReceiver(misbehaviour.serve);
    onTestFinished(() => receiver.close());
    const { state, errorClass, httpStatus, waits, isLeftAlone } = expectedOf(misbehaviour);
    const { delivery, endpoint } = await deliverTo(receiver.port, { isSilent: errorClass === "timeout" });
    expect(delivery).toMatchObject({
      state,
      isClaimed: false,
      attempts: 1,
      tries: [{ number: 1, errorClass, httpStatus }],
    });
    expect(delivery?.pauseMs).toSatisfy(within(waits));
    expect(endpoint.backoffStreak).toBe(isLeftAlone ? 1 : 0);
    expect(endpoint.failingSince === null).toBe(state === "delivered");
    expect(endpoint.disabledReason).toBe(errorClass === "gone" ? "gone" : null);
  });

  test("never accepts", async ({ onTestFinished }) => {
    const receiver = await startDeafReceiver();
    onTestFinished(() => receiver.close());
    const waiting = Array.from({ length: 8 }, () => connect(receiver.port, "127.0.0.1"));
    onTestFinished(() => waiting.forEach((socket) => socket.destroy()));
    await Promise.race(waiting.map((socket) => once(socket, "connect")));
    const { delivery, endpoint } = await deliverTo(receiver.port, { isSilent: true });
    expect(delivery).toMatchObject({ state: "pending", tries: [{ errorClass: "timeout" }] });
    expect(delivery?.pauseMs).toSatisfy(within(OVERLOADED));
    expect(endpoint.backoffStreak).toBe(1);
  });

  test("has a certificate for another name", async ({ onTestFinished }) => {
    const server = createServer(selfSigned("hooks.example.com")).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const address = server.address();
    const { delivery, endpoint } = await deliverTo(typeof address === "object" ? (address?.port ?? 0) : 0, {
      scheme: "https",
    });
    expect(delivery).toMatchObject({ state: "pending", tries: [{ errorClass: "tls", httpStatus: null }] });
    expect(delivery?.pauseMs).toSatisfy(within(FIRST_STEP));
    expect(endpoint.backoffStreak).toBe(1);
  });

  test("gets fifteen seconds", () => {
    expect([...timeoutsMs]).toEqual([TIMEOUT_MS]);
  });
});
