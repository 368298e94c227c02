import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { unfinished } from "@/e2e/crash/fate";
import { type Customers, makeCustomers } from "@/e2e/support/customers";
import { type Farm, openFarm } from "@/e2e/support/farm";
import { httpCall } from "@/e2e/support/http-call";
import { readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { startLoad } from "./load";

const START_TIMEOUT_MS = 300_000;
const CUSTOMERS = 50;
/** Longer than the proxy needs to notice. */
const DRAIN_SECONDS = "2";
const API_PLACES = [0, 1] as const;
const JOBS_PLACES = [2, 3] as const;
/** Sent before and after each stop, so that connections are kept and reused. */
const MESSAGES_BETWEEN = 100;

// One proxy asks who is ready; the other only learns from the connection.
describe.each([{ asksReadiness: true }, { asksReadiness: false }])(
  "behind a proxy ($asksReadiness)",
  (proxy) => {
    let farm: Farm;
    let customers: Customers;

    beforeAll(async () => {
      const roles = ["api", "api", "jobs", "jobs"] as const;
      farm = await openFarm({ roles, ...proxy, env: { WAYPOST_DRAIN_SECONDS: DRAIN_SECONDS } });
      customers = await makeCustomers(farm.process(0), CUSTOMERS);
    }, START_TIMEOUT_MS);
    afterAll(() => farm?.close());

    test(
      "every process is stopped and started again in turn, and no request is lost or refused",
      { timeout: 180_000 },
      async () => {
        const load = startLoad(farm.balancer.url, customers);
        const more = async () => {
          const before = load.accepted.length;
          const isMore = () => load.accepted.length >= before + MESSAGES_BETWEEN;
          await until("more messages are accepted", isMore, { timeoutMs: 60_000 });
        };
        for (const place of [...API_PLACES, ...JOBS_PLACES]) {
          await more();
          expect(await farm.process(place).stop()).toEqual({ code: 0, signal: null });
          await more();
          await farm.restart(place);
        }
        await more();
        await load.stop();
        expect(farm.balancer.failures).toEqual([]);
        expect(Object.fromEntries(load.answers)).toEqual({ 201: load.accepted.length });

        const isDone = async () => (await unfinished(farm.sql)) === 0;
        await until("everything is handed upstream", isDone, { timeoutMs: 60_000, intervalMs: 100 });
        const { messages } = await readLedger(farm.simulator.url);
        const ids = new Set(load.accepted);
        const handedOver = messages.flatMap(({ biz_opaque_callback_data: id }) =>
          id && ids.has(id) ? [id] : [],
        );
        expect(handedOver.toSorted()).toEqual(load.accepted.toSorted());
      },
    );
  },
);

describe("a process that was told to stop", () => {
  test(
    "says so at once, and answers what still comes, until the drain is over",
    { timeout: START_TIMEOUT_MS },
    async () => {
      const farm = await openFarm({ roles: ["api"], env: { WAYPOST_DRAIN_SECONDS: "4" } });
      try {
        const server = farm.process(0);
        const get = (path: string) => httpCall({ method: "GET", url: server.baseUrl + path, headers: {} });
        expect((await get("/readyz")).headers["connection"]).toBe("keep-alive");
        const ending = server.stop();
        const notReady = await until("it says that it isn't ready", async () => {
          const answer = await get("/readyz");
          return answer.status === 503 ? answer : null;
        });
        expect(JSON.parse(notReady.text)).toMatchObject({ ok: false, accepting: false });
        const answer = await get("/api/public/v1/openapi.json");
        expect([answer.status, answer.headers["connection"]]).toEqual([200, "close"]);
        expect(await ending).toEqual({ code: 0, signal: null });
        await expect(get("/readyz")).rejects.toThrow("ECONNREFUSED");
      } finally {
        await farm.close();
      }
    },
  );
});
