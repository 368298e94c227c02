import { randomUUID } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { startSending, textsTo } from "@/e2e/crash/clients";
import { makeCustomers } from "@/e2e/support/customers";
import { ledgerEntriesOf } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { attachWaypost, startWaypost, type Waypost } from "@/e2e/support/waypost";
import { serveOnLoopback } from "@/server/edge/http/testing";

/** Longer than the test: a second signal ends it. */
const DRAIN_SECONDS = "120";

/**
 * Starts a process that accepts requests and one that sends, independent of each other. The latter is registered with
 * an Inngest server that refuses its events, and so runs the functions itself until it leaves.
 */
async function openPair(): Promise<{ api: Waypost; jobs: Waypost }> {
  const server = await serveOnLoopback((req, res) => {
    req.resume();
    res.writeHead(req.url?.startsWith("/e/") ? 401 : 200, { "Content-Type": "application/json" });
    res.end(JSON.stringify({ ok: true }));
  });
  onTestFinished(server.close);
  const api = await startWaypost({ env: { WAYPOST_ROLE: "api" } });
  onTestFinished(async () => void (await api.stop()));
  const jobs = await attachWaypost(api, {
    WAYPOST_ROLE: "jobs",
    WAYPOST_DRAIN_SECONDS: DRAIN_SECONDS,
    INNGEST_DEV: server.url,
  });
  onTestFinished(jobs.kill9);
  return { api, jobs };
}

/** Calls as an Inngest server does. */
function callToDrain({ baseUrl }: Waypost, channelId: string): Promise<Response> {
  const event = { name: "waypost/channel.due", data: { channelId }, ts: Date.now() };
  const stack = { stack: [], current: 0 };
  const ctx = { run_id: randomUUID(), attempt: 0, max_attempts: 1, stack, use_api: false };
  return fetch(`${baseUrl}/api/inngest?fnId=waypost-drain-channel&stepId=step`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ version: 2, event, events: [event], steps: {}, ctx }),
  });
}

test("a process that leaves works for an Inngest server as long as it answers its calls, and says that it isn't ready", async () => {
  const { api, jobs } = await openPair();
  const { secret, handles, channelId } = await makeCustomers(api, 1);
  jobs.program.kill("SIGTERM");
  const isLeaving = async () => (await fetch(`${jobs.baseUrl}/readyz`)).status === 503;
  await until("the process says that it leaves", isLeaving);

  const sending = startSending({ baseUrls: [api.baseUrl], secret, messages: textsTo(handles, 1) });
  await sending.done;
  const answer = await callToDrain(jobs, channelId);
  expect(answer.status).toBe(206);
  const [messageId = ""] = sending.accepted.values();
  const isUpstream = async () => (await ledgerEntriesOf(api.simulatorUrl, messageId)).length === 1;
  await until("the message is handed upstream", isUpstream);
  expect(jobs.program.isRunning()).toBe(true);
});
