import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { postmasterPid } from "@/e2e/crash/postmaster";
import type { RequestHeaders } from "@/e2e/support/http-call";
import { until } from "@/e2e/support/until";
import { valueOf } from "@/server/ops/metrics/testing";
import { MARKS } from "./marks";
import { openOperatingWorld, type OperatingWorld, updateOf } from "./world";

let world: OperatingWorld;

beforeAll(async () => void (world = await openOperatingWorld()));
afterAll(() => world?.close());

const metrics = async () =>
  (await world.ask("/metrics", { headers: { Authorization: `Bearer ${MARKS.metricsToken}` } })).text;

/** Log lines that are JSON. */
function logged(): Record<string, unknown>[] {
  const lines = world.server.program.stderr().split("\n");
  return lines.filter((line) => line.startsWith("{") && line.endsWith("}")).map((line) => JSON.parse(line));
}

const message = (fields: object = {}) => ({
  client_message_id: randomUUID(),
  type: "text",
  to: { kind: "whatsapp", handle: MARKS.number },
  channel_id: world.channelId,
  text: { body: MARKS.text },
  ...fields,
});

async function sql<T>(work: (pool: ReturnType<typeof createPool>) => Promise<T>): Promise<T> {
  const run = await readRunFile(world.server.dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  const pool = createPool(run.postgres, { name: "test", connectionsMax: 1 });
  try {
    return await work(pool);
  } finally {
    await pool.end({ timeout: 5 });
  }
}

test("/healthz, /readyz and /metrics answer GET and HEAD, and nobody reads metrics without the token", async () => {
  for (const path of ["/healthz", "/readyz"]) {
    expect(await world.ask(path)).toMatchObject({ status: 200, text: expect.stringContaining('"ok":true') });
    expect(await world.ask(path, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
    expect(await world.ask(path, { method: "POST" })).toMatchObject({ status: 405 });
  }
  const strangers: RequestHeaders[] = [
    {},
    { Authorization: "Bearer mark-metrics-" },
    { Authorization: `Bearer ${world.key}` },
  ];
  for (const headers of strangers) {
    const refused = await world.ask("/metrics", { headers });
    expect(refused).toMatchObject({ status: 401, headers: { "www-authenticate": 'Bearer realm="metrics"' } });
    expect(refused.text).not.toContain("waypost_");
  }
  const headers = { Authorization: `Bearer ${MARKS.metricsToken}` };
  expect(await world.ask("/metrics", { method: "HEAD", headers })).toMatchObject({ status: 200, text: "" });
});

test("every metric that the documentation names is told", async () => {
  const page = await world.ask("/docs/metrics");
  const named = new Set(page.text.match(/\b(waypost|nodejs|process)_[a-z0-9_]*[a-z0-9]\b/g));
  const text = await metrics();
  const missing = [...named].filter((name) => {
    const base = name.replace(/_(bucket|sum|count)$/, "");
    return ![name, base].some((one) => text.includes(`# TYPE ${one} `));
  });
  expect(named.size).toBeGreaterThan(35);
  expect(missing).toEqual([]);
});

test("whatever goes wrong, no secret, text or number is in the log or in an error", async () => {
  const { ask, post, callBack, key } = world;
  const json = { "Content-Type": "application/json" };
  const keys: RequestHeaders[] = [
    { Authorization: `Bearer ${MARKS.wrongKey}` },
    { "X-Api-Key": MARKS.wrongKey },
    { Authorization: `Basic ${MARKS.password}` },
    { Authorization: `Bearer ${key}`, "X-Api-Key": MARKS.wrongKey },
  ];
  for (const headers of keys) await ask("v1:/ping", { headers });
  await ask(`v1:/ping?access_token=${MARKS.accessToken}&api_key=${MARKS.wrongKey}`, { headers: json });

  const bodies: unknown[] = [
    `{"text": {"body": "${MARKS.text}"`,
    `"${MARKS.text}"`,
    message({ type: MARKS.text }),
    message({ to: { kind: "whatsapp", handle: `${MARKS.number}x` } }),
    message({ to: { kind: "whatsapp", handle: "4915100000000" }, thread_id: MARKS.text }),
    message({ text: { body: `${MARKS.text}\0` } }),
    message({ text: { body: MARKS.text.repeat(200) } }),
    message({ text: { body: MARKS.text.repeat(4_000) } }),
    message({
      type: "image",
      text: null,
      media: { url: `https://user:${MARKS.password}@example.com/a.png` },
    }),
    message({
      type: "image",
      text: null,
      media: { url: `http://127.0.0.1/?access_token=${MARKS.accessToken}` },
    }),
    message({ type: "image", text: null, media: { storage_key: MARKS.text } }),
    message({
      type: "template",
      text: null,
      template: { name: MARKS.text, language: "en", variables: {} },
    }),
    message({ channel_id: randomUUID() }),
  ];
  for (const body of bodies) expect((await post(body)).status).toBeGreaterThanOrEqual(400);
  const first = message();
  expect((await post(first)).status).toBe(201);
  expect((await post({ ...first, text: { body: `${MARKS.text} again` } })).status).toBe(409);
  const sent = 8;
  for (let count = 1; count < sent; count += 1) {
    // Each is a different customer; otherwise a retried one would hold up the next.
    const handle = `${MARKS.number.slice(0, -1)}${count}`;
    expect((await post(message({ to: { kind: "whatsapp", handle } }))).status).toBe(201);
  }

  const timestamp = String(Math.floor(Date.now() / 1000));
  const inbound = {
    contacts: [{ profile: { name: MARKS.text }, wa_id: MARKS.number }],
    messages: [{ from: MARKS.number, id: "wamid.1", timestamp, type: "text", text: { body: MARKS.text } }],
  };
  const errors = [
    { code: 131026, title: MARKS.text, message: MARKS.text, error_data: { details: MARKS.text } },
  ];
  // An unused number: otherwise it would settle a call in doubt to its recipient, and the number would be refused from
  // then on.
  const status = { id: "wamid.2", status: "failed", timestamp, recipient_id: `${MARKS.number}9`, errors };
  const odd = { id: MARKS.text, status: MARKS.text, timestamp: MARKS.text, recipient_id: MARKS.number };
  expect((await callBack(updateOf(inbound))).status).toBe(200);
  expect((await callBack(updateOf({ statuses: [status, odd] }))).status).toBe(200);
  expect((await callBack(`{"${MARKS.text}": ${MARKS.text}`)).status).toBe(200);
  expect((await callBack(updateOf(inbound), "another secret")).status).toBe(401);
  const verify = `hub.mode=subscribe&hub.challenge=1&hub.verify_token=${MARKS.verifyToken}`;
  const address = `/api/upstream/whatsapp/${world.channelId}`;
  expect((await ask(`${address}?${verify}`)).status).toBe(200);
  expect((await ask(`${address}?${verify}x`)).status).toBe(403);
  await ask(`/docs/nowhere?token=${MARKS.accessToken}`);
  await until("the upstream was called for each", () => world.upstream.sends() >= sent);
  await until("callbacks are processed", () =>
    sql(async (pool) => (await pool`select from upstream_callbacks where processed_at is null`).length === 0),
  );

  const during = Array.from({ length: 30 }, () => post(message()));
  process.kill(await postmasterPid(world.server.dataDir), "SIGKILL");
  await Promise.all(during);
  await until("PostgreSQL is running again", async () => (await post(message())).status === 201);

  expect(logged().length).toBeGreaterThan(60);
  const reported = { log: world.server.output(), command: world.commandErrors() };
  // A page repeats its own path to whoever requested it.
  const refusals = world.answers.map(({ text }) => text).filter((text) => text.includes('"error"'));
  expect(refusals.length).toBeGreaterThan(20);
  const secrets = { ...MARKS, key, number: MARKS.number.slice(0, -1) };
  for (const [name, mark] of Object.entries(secrets)) {
    for (const [where, text] of Object.entries(reported)) {
      const found = text.split("\n").filter((line) => line.includes(mark));
      expect({ name, where, found }).toEqual({ name, where, found: [] });
    }
    expect({ name, found: refusals.filter((text) => text.includes(mark)) }).toEqual({ name, found: [] });
  }
});

test("every answer of the public API is in the log by its request id, and a 500 with what caused it", async () => {
  await sql((pool) => pool`alter table templates rename to elsewhere`);
  const failed = await world.ask("v1:/templates", { headers: { Authorization: `Bearer ${world.key}` } });
  await sql((pool) => pool`alter table elsewhere rename to templates`);
  expect(failed).toMatchObject({ status: 500, text: expect.not.stringContaining("templates") });
  const requestId = failed.headers["x-request-id"];
  const lines = await until("the log has it", () => {
    const found = logged().filter((line) => line.requestId === requestId);
    return found.length >= 2 && found;
  });
  expect(lines).toContainEqual(
    expect.objectContaining({ level: "error", err: expect.objectContaining({ code: "42P01" }) }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ level: "warn", route: "/api/public/v1/templates", status: 500 }),
  );
  const ids = new Set(logged().map((line) => line.requestId));
  const asked = world.answers.filter(({ text }) => text.includes('"resend"'));
  expect(asked.length).toBeGreaterThan(15);
  const unseen = asked.filter(({ headers }) => !ids.has(headers["x-request-id"]));
  expect(unseen.map(({ status, text }) => ({ status, text }))).toEqual([]);
});

test("the metrics tell what has happened: messages, calls, callbacks, refusals, restarts", async () => {
  const text = await metrics();
  expect(valueOf(text, "waypost_messages_accepted_total")).toBeGreaterThanOrEqual(9);
  expect(valueOf(text, 'waypost_public_api_errors_total{code="idempotency_key_reused"}')).toBe(1);
  expect(valueOf(text, 'waypost_public_api_errors_total{code="internal_error"}')).toBe(1);
  expect(valueOf(text, 'waypost_upstream_calls_total{operation="send",outcome="rejected"}')).toBeGreaterThan(
    0,
  );
  expect(valueOf(text, 'waypost_upstream_calls_total{operation="send",outcome="uncertain"}')).toBeGreaterThan(
    0,
  );
  const isDoubtReported = async () => (valueOf(await metrics(), "waypost_messages_in_doubt") ?? 0) > 0;
  await until("what is read from the database is read again", isDoubtReported);
  expect(valueOf(text, 'waypost_message_states_total{state="failed"}')).toBeGreaterThan(0);
  // Callbacks for the simulator's numbers come on top.
  expect(valueOf(text, 'waypost_callbacks_received_total{result="stored"}')).toBeGreaterThanOrEqual(3);
  expect(valueOf(text, 'waypost_callbacks_received_total{result="unsigned"}')).toBe(1);
  expect(valueOf(text, "waypost_callback_lag_seconds_count")).toBeGreaterThanOrEqual(3);
  expect(valueOf(text, "waypost_callbacks_not_understood_total")).toBeGreaterThan(0);
  expect(valueOf(text, "waypost_embedded_postgres_restarts_total")).toBe(1);
  expect(valueOf(text, 'waypost_log_lines_total{level="error"}')).toBeGreaterThan(0);
  const pings = 'waypost_http_requests_total{route="/api/public/v1/ping",method="GET",status="401"}';
  expect(valueOf(text, pings)).toBeGreaterThanOrEqual(4);
  // No label contains a requested path.
  expect(text).not.toMatch(/nowhere|[0-9a-f]{8}-[0-9a-f]{4}-/);
  for (const mark of Object.values(MARKS)) expect(text).not.toContain(mark);
});
