import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "@/e2e/support/api";
import { createKey, connectChannel, demo, type Demo } from "@/e2e/support/cli";
import { runCommand } from "@/e2e/support/command";
import { freePort } from "@/e2e/support/free-port";
import { signInAs } from "@/e2e/admin/support/sign-in";
import { closeContexts, openBrowser } from "@/e2e/support/browser";
import { customerWrites, readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { attachWaypost, startWaypost, type Waypost } from "@/e2e/support/waypost";

const HOUR_MS = 3_600_000;
/** Every call is refused with a 429, so the message waits. */
const WAITS = "4915155399077";
/** The connection closes without a response, and no status comes. */
const NO_ANSWER = "4915155399032";
/** Their messages are delivered and read. */
const STEADY = Array.from({ length: 12 }, (_, place) => `49151553900${place + 10}`);
const CREDENTIALS = { access_token: "EAA1", app_secret: "0".repeat(32), verify_token: "verify" };

let server: Waypost;
let attached: Waypost;
let api: Api;
let organization: Demo;
let receiver: Server;
let port: number;
const received: { headers: Record<string, string>; body: string }[] = [];

beforeAll(async () => {
  port = await freePort();
  server = await startWaypost({ env: { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${port}` } });
  attached = await attachWaypost(server, { WAYPOST_ROLE: "api" });
  [api, organization] = await Promise.all([openApi(server.baseUrl), demo(server)]);
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      const named = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      received.push({ headers: Object.fromEntries(named), body });
      response.end();
    });
  }).listen(port, "127.0.0.1");
  await once(receiver, "listening");
});
afterAll(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  await attached?.stop();
  await server?.stop();
});

async function advance(by: string): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${server.simulatorUrl}/clock`, {
    method: "POST",
    body: JSON.stringify({ advance: by }),
  });
  return { status: response.status, body: await response.json() };
}

const call = (path: string, json?: object, key = organization.api_key.secret) =>
  api.call({ path, json, key });

function sendText(clientMessageId: string, handle: string, key?: string) {
  const to = { kind: "whatsapp", handle };
  const json = { client_message_id: clientMessageId, type: "text", to, text: { body: "Hello" } };
  return call("/messages", json, key);
}

async function customerHasWritten(from: string): Promise<void> {
  const phoneNumberId = organization.phone_number_ids.default;
  await customerWrites(server.simulatorUrl, { phoneNumberId, from, body: "Hi" });
  const has = async () =>
    received.some(({ body }) => body.includes("message.received") && body.includes(from));
  await until("the customer's message has arrived", has);
}

/** Events of a message or a contact, verified as a receiver does, by the machine's clock. */
function eventsWith(secret: string, words: string) {
  return received
    .filter(({ body }) => body.includes(words))
    .map(
      ({ headers, body }) => new Webhook(secret).verify(body, headers) as { type: string; timestamp: string },
    );
}

test("moving the clock by 13 hours expires a waiting message, closes the window, and delivers the webhooks", async () => {
  const made = await call("/webhooks", { url: `http://127.0.0.1:${port}/` });
  const { secret } = made.body as { secret: string };
  await customerHasWritten(WAITS);
  const startedAtMs = Date.now();
  expect(await advance("12h")).toMatchObject({
    status: 200,
    body: {
      ahead_seconds: 12 * 3600,
      followers: expect.arrayContaining([expect.stringContaining(server.baseUrl)]),
    },
  });
  const sent = await sendText("waits", WAITS);
  expect(sent.status).toBe(201);
  const { message_id: id } = sent.body as { message_id: string };
  expect((await advance("13h")).status).toBe(200);

  const message = await until("the message has failed", async () => {
    const { body } = await call(`/messages/${id}`);
    const found = body as {
      delivery_state: string;
      created_at: string;
      failed_at: string;
      error: { code: string };
    };
    return found.delivery_state === "failed" ? found : null;
  });
  expect(message.error.code).toBe("expired");
  const hours = (time: string) => Math.round((Date.parse(time) - startedAtMs) / HOUR_MS);
  expect([message.created_at, message.failed_at].map(hours)).toEqual([12, 25]);
  expect((await sendText("after", WAITS)).code).toBe("outside_customer_window");

  const failed = await until("the failure is reported", async () => eventsWith(secret, id).at(0));
  expect(failed).toMatchObject({
    type: "message.failed",
    data: { message_id: id, error: { code: "expired" } },
  });
  expect(hours(failed.timestamp)).toBe(25);
});

test("a message whose response was lost fails after 15 minutes, if no status comes in the skipped time", async () => {
  await customerHasWritten(NO_ANSWER);
  const sent = await sendText("no-answer", NO_ANSWER);
  const { message_id: id } = sent.body as { message_id: string };
  const calls = async () => (await readLedger(server.simulatorUrl)).calls.some(({ to }) => to === NO_ANSWER);
  await until("WhatsApp was called", calls);
  expect((await advance("16m")).status).toBe(200);
  const code = async () => (await call(`/messages/${id}`)).body as { error: { code: string } | null };
  await until("the message has failed", async () => (await code()).error?.code === "upstream_unconfirmed");
});

test("all processes and commands have the moved time, and keys expire by it", async () => {
  const { secret } = await createKey(server, organization.organization_id, {
    scopes: ["messages:read"],
    expiresInSeconds: 7_200,
  });
  const other = await openApi(attached.baseUrl);
  const pings = () => Promise.all([api, other].map((one) => one.call({ path: "/ping", key: secret })));
  const times = async () =>
    (await pings()).map(({ status, body, code }) =>
      status === 200
        ? Math.round((Date.parse((body as { time: string }).time) - Date.now()) / HOUR_MS)
        : code,
    );
  const before = await times();
  expect(before[0]).toBe(before[1]);
  expect((await advance("1h")).status).toBe(200);
  expect(await times()).toEqual(before.map((hours) => Number(hours) + 1));
  expect((await advance("1h1s")).status).toBe(200);
  expect(await times()).toEqual(["api_key_expired", "api_key_expired"]);
});

test("doctor says that the clock was moved, and finds nothing wrong with that", async () => {
  const { stdout } = await runCommand(["doctor"], server.env);
  expect(stdout).toMatch(/clock: matches the database's clock; the demo's clock was moved \d+ s ahead/);
  expect(stdout).not.toMatch(/^fail/m);
});

test("rate limits and signatures keep the machine's time", async () => {
  const pinged = await call("/ping");
  expect(Number(pinged.headers["x-ratelimit-reset"]) * 1000 - Date.now()).toBeLessThan(HOUR_MS);
  for (const { headers } of received)
    expect(Math.abs(Number(headers["webhook-timestamp"]) * 1000 - Date.now())).toBeLessThan(HOUR_MS);
});

test("the pages say by how much the clock is ahead, and show times by it", async () => {
  const browser = await openBrowser();
  try {
    const page = await (await browser.newContext()).newPage();
    const messages = `${server.baseUrl}/o/${organization.organization_id}/messages`;
    await page.goto(`${server.baseUrl}/sign-in`);
    await signInAs(page, organization.sign_in);
    await page.goto(messages);
    await page.getByText("The clock of this demo is ahead by 1 day 3 hours 16 minutes 1 second.").waitFor();
    const row = page.getByRole("row", { name: "waits" });
    expect(await row.textContent()).toContain("15 hours ago");
    // The page stays open, and its next request learns of it.
    expect((await advance("2h")).status).toBe(200);
    await page.getByText("The clock of this demo is ahead by 1 day 5 hours 16 minutes 1 second.").waitFor();
    await until("the times on the page follow", async () =>
      (await row.textContent())?.includes("17 hours ago"),
    );
  } finally {
    await closeContexts(browser);
  }
});

test("the clock moves while messages are sent all the time, and each is sent and read at one time", async () => {
  await call("/webhooks", { url: `http://127.0.0.1:${port}/` });
  for (const handle of STEADY) await customerHasWritten(handle);
  const limits = { sendLimit: 1_000_000, readLimit: 1_000_000 };
  const { secret } = await createKey(server, organization.organization_id, limits);
  const ids: string[] = [];
  const ending = new AbortController();
  const sendSteadily = async (loop: number) => {
    for (let number = 0; !ending.signal.aborted; number++) {
      const handle = STEADY[number % STEADY.length] ?? "";
      const sent = await sendText(`steady-${loop}-${number}`, handle, secret);
      if (sent.status === 201) ids.push((sent.body as { message_id: string }).message_id);
      await pause(20);
    }
  };
  const loops = [1, 2, 3, 4].map(sendSteadily);
  try {
    for (let moves = 1; moves <= 2; moves++) {
      const before = ids.length;
      await until("messages are sent", () => ids.length > before + 40);
      expect(await advance("1h")).toMatchObject({ status: 200 });
    }
  } finally {
    ending.abort();
    await Promise.all(loops);
  }
  for (const id of ids) {
    const { sent_at, read_at } = await until("the message is read", async () => {
      const { body } = await call(`/messages/${id}`, undefined, secret);
      const message = body as { sent_at: string; read_at: string | null };
      return message.read_at === null ? null : { ...message, read_at: message.read_at };
    });
    expect(Math.abs(Date.parse(read_at) - Date.parse(sent_at))).toBeLessThan(HOUR_MS / 2);
  }
});

test("a number at Meta is refused once the clock was moved", async () => {
  const credentialsFile = join(server.dataDir, "credentials.json");
  await writeFile(credentialsFile, JSON.stringify(CREDENTIALS), { mode: 0o600 });
  const connecting = connectChannel(server, organization.organization_id, {
    phoneNumberId: "77",
    credentialsFile,
  });
  await expect(connecting).rejects.toThrow("The clock of this demo was moved");
});

test("the clock stays where a number at Meta is connected", async () => {
  const real = await startWaypost({ env: { WAYPOST_DRAIN_SECONDS: "0" } });
  try {
    const { organization_id } = await demo(real);
    const credentialsFile = join(real.dataDir, "credentials.json");
    await writeFile(credentialsFile, JSON.stringify(CREDENTIALS), { mode: 0o600 });
    await connectChannel(real, organization_id, { phoneNumberId: "77", credentialsFile });
    const response = await fetch(`${real.simulatorUrl}/clock`, {
      method: "POST",
      body: JSON.stringify({ advance: "1h" }),
    });
    expect(response.status).toBe(409);
    expect(await response.text()).toContain("a channel is connected to Meta");
  } finally {
    await real.stop();
  }
});
