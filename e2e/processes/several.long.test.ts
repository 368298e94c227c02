import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { untilHandedUpstream } from "@/e2e/crash/fate";
import { startBalancer } from "@/e2e/support/balancer";
import { type Customers, makeCustomers } from "@/e2e/support/customers";
import { type Farm, openFarm } from "@/e2e/support/farm";
import { type HttpAnswer, httpCall } from "@/e2e/support/http-call";
import { readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import type { Waypost } from "@/e2e/support/waypost";
import { addWebhookEndpoint } from "@/e2e/support/webhooks";
import { IN_FLIGHT_MAX } from "@/server/domain/webhooks/deliver/claim";
import { startReceiver } from "@/server/domain/webhooks/testing";
import { type Load, startLoad } from "./load";

const CUSTOMERS = 20;
/** Longer than this test's proxy needs to notice. */
const DRAIN_SECONDS = "2";
const ROLES = ["api", "api", "jobs", "jobs", "admin"] as const;
const API_PLACES = [0, 1] as const;
const FIRST_JOBS_PLACE = 2;
/**
 * A process gives half to one organization: fewer than one endpoint may have in flight, and two endpoints even more so.
 */
const WEBHOOK_SLOTS = "48";
/** Each causes at least three events. */
const MESSAGES_REPORTED = 60;
/** Enough that the proxy keeps and reuses its connections. */
const MESSAGES_BETWEEN = 40;

let farm: Farm;
let customers: Customers;
let receiver: Awaited<ReturnType<typeof startReceiver>>;

beforeAll(async () => {
  receiver = await startReceiver();
  const env = {
    WAYPOST_DRAIN_SECONDS: DRAIN_SECONDS,
    WAYPOST_WEBHOOK_SLOTS: WEBHOOK_SLOTS,
    ALLOWED_PRIVATE_HOSTS: receiver.host,
  };
  farm = await openFarm({ roles: ROLES, env });
  customers = await makeCustomers(farm.process(0), CUSTOMERS);
});
afterAll(async () => {
  await farm?.close();
  await receiver?.close();
});

const get = ({ baseUrl }: Waypost, path: string): Promise<HttpAnswer> =>
  httpCall({ method: "GET", url: baseUrl + path, headers: {} });

async function moreAccepted(load: Load): Promise<void> {
  const before = load.accepted.length;
  const isMore = () => load.accepted.length >= before + MESSAGES_BETWEEN;
  await until("more messages are accepted", isMore);
}

/** Checks that each of these messages is upstream, once. */
async function expectHandedOver(accepted: readonly string[]): Promise<void> {
  await untilHandedUpstream(farm.sql, 90_000);
  const ids = new Set(accepted);
  const { messages } = await readLedger(farm.simulator.url);
  const found = messages.flatMap(({ biz_opaque_callback_data: id }) => (id && ids.has(id) ? [id] : []));
  expect(found.toSorted()).toEqual(accepted.toSorted());
}

describe("processes of a role on one database", () => {
  test.each([
    [0, "api", { "/api/public/v1/openapi.json": 200, "/docs": 404, "/api/inngest": 404 }],
    [2, "jobs", { "/api/public/v1/openapi.json": 404, "/docs": 404 }],
    [4, "admin", { "/api/public/v1/openapi.json": 404, "/docs": 200, "/api/inngest": 404 }],
  ])("answer what the role is for (process %d, %s)", async (place, _role, statuses) => {
    const server = farm.process(place);
    const answers = await Promise.all(Object.keys(statuses).map((path) => get(server, path)));
    expect(answers.map(({ status }) => status)).toEqual(Object.values(statuses));
  });

  test("are all ready, and those that send nothing don't say that nobody does", async () => {
    for (const place of ROLES.keys()) {
      expect((await get(farm.process(place), "/readyz")).status).toBe(200);
    }
    const [row] = await farm.sql`select name from installation where starts_with(name, 'jobs_seen')`;
    expect(row).toBeDefined();
  });
});

test("calls in flight to one webhook endpoint are no more than its limit over two processes, which both make them", async () => {
  const held = new Set<() => void>();
  let most = 0;
  receiver.answers((response) => {
    held.add(() => void response.writeHead(204).end());
    most = Math.max(most, held.size);
  });
  const endpoint = await addWebhookEndpoint(farm.process(0), customers.organizationId, receiver.url);
  const load = startLoad(farm.balancer.url, customers);
  await until("messages are accepted", () => load.accepted.length >= MESSAGES_REPORTED);
  await load.stop();
  const waiting = async () => {
    const [row] = await farm.sql<{ due: number; pending: number }[]>`
        select count(*) filter (where claim_token is null)::int as due, count(*)::int as pending
        from webhook_deliveries where endpoint_id = ${endpoint.id} and is_pending`;
    return row ?? { due: 0, pending: 0 };
  };
  const isFull = async () => held.size >= IN_FLIGHT_MAX && (await waiting()).due > 2 * IN_FLIGHT_MAX;
  await until("more is due than may be in flight", isFull);
  await untilHandedUpstream(farm.sql);
  const areReported = async () => {
    for (const answer of held) answer();
    held.clear();
    return (await waiting()).pending === 0 && (await readOf(load.accepted)) === load.accepted.length;
  };
  await until("everything is told", areReported);
  expect(most).toBe(IN_FLIGHT_MAX);
  const ids = receiver.calls.map(({ headers }) => headers["webhook-id"]);
  expect(new Set(ids).size).toBe(ids.length);
  await endpoint.remove();
});

/** Counts the messages that customers have read, by webhook. */
async function readOf(ids: readonly string[]): Promise<number> {
  const [row] = await farm.sql<{ count: number }[]>`
    select count(*)::int as count from messages where id = any(${[...ids]}::uuid[]) and state = 'read'`;
  return row?.count ?? 0;
}

describe("a rolling restart under load", () => {
  test.each([
    ["asks who is ready", true],
    ["learns only from its connections", false],
  ])("loses and refuses no request behind a proxy that %s", async (_, asksReadiness) => {
    const upstreams = API_PLACES.map((place) => farm.process(place).baseUrl);
    const proxy = await startBalancer(upstreams, { asksReadiness });
    const load = startLoad(proxy.url, customers);
    for (const place of API_PLACES) {
      await moreAccepted(load);
      expect(await farm.process(place).stop()).toEqual({ code: 0, signal: null });
      await moreAccepted(load);
      await farm.restart(place);
    }
    await moreAccepted(load);
    await load.stop();
    await proxy.close();
    expect(proxy.failures).toEqual([]);
    expect(Object.fromEntries(load.answers)).toEqual({ 201: load.accepted.length });
    await expectHandedOver(load.accepted);
  });

  test("of a process that runs jobs sends nothing twice, and the other goes on", async () => {
    const load = startLoad(farm.balancer.url, customers);
    await moreAccepted(load);
    expect(await farm.process(FIRST_JOBS_PLACE).stop()).toEqual({ code: 0, signal: null });
    await moreAccepted(load);
    await load.stop();
    await expectHandedOver(load.accepted);
    await farm.restart(FIRST_JOBS_PLACE);
  });

  test("says at once that a process isn't ready, which answers what still comes", async () => {
    const [place] = API_PLACES;
    const server = farm.process(place);
    expect((await get(server, "/readyz")).headers["connection"]).toBe("keep-alive");
    const ending = server.stop();
    const notReady = await until("it says that it isn't ready", async () => {
      const answer = await get(server, "/readyz");
      return answer.status === 503 ? answer : null;
    });
    expect(JSON.parse(notReady.text)).toMatchObject({ ok: false, accepting: false });
    const answer = await get(server, "/api/public/v1/openapi.json");
    expect([answer.status, answer.headers["connection"]]).toEqual([200, "close"]);
    expect(await ending).toEqual({ code: 0, signal: null });
    await expect(get(server, "/readyz")).rejects.toThrow("ECONNREFUSED");
    await farm.restart(place);
  });
});

describe("PostgreSQL restarted under load", () => {
  test.each(["fast", "immediate", "killed"] as const)(
    "(%s) is answered with 503 and Retry-After, and then all goes on by itself, with nothing lost or sent twice",
    async (how) => {
      const pids = ROLES.map((_, place) => farm.process(place).pid);
      const load = startLoad(farm.balancer.url, customers);
      await moreAccepted(load);
      await farm.postgres.stop(how);
      const refusals = () => load.answers.get("503 unavailable") ?? 0;
      const before = refusals();
      await until("requests are refused for now", () => refusals() > before + 10);
      const isReady = async () => (await get(farm.process(0), "/readyz")).status === 200;
      await until("it says that it isn't ready", async () => !(await isReady()));
      await farm.postgres.start();
      await moreAccepted(load);
      await until("it is ready again", isReady);
      await load.stop();
      expect(Object.fromEntries(load.answers)).toEqual({
        201: load.accepted.length,
        "503 unavailable": refusals(),
      });
      expect(load.withoutRetryAfter).toEqual([]);
      await expectHandedOver(load.accepted);
      expect(ROLES.map((_, place) => farm.process(place).pid)).toEqual(pids);
    },
  );
});
