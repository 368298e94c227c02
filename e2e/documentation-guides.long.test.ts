import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createKey, demo, type Demo } from "@/e2e/support/cli";
import { type Api, openApi } from "@/e2e/support/api";
import { freePort } from "@/e2e/support/free-port";
import { limitMs } from "@/e2e/support/machine-speed";
import { samplesOf } from "@/e2e/support/page-samples";
import { customerWrites, readLedger } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";
import { type InstalledClient, installClient, problemsIn } from "./client/installed";

const PAGES = [
  "/docs/client",
  ...["order-notifications", "customer-messages", "files", "reconciliation", "worker-fleet", "testing"].map(
    (guide) => `/docs/guides/${guide}`,
  ),
];
const PYTHON_PACKAGES = ["httpx==0.28.1", "standardwebhooks==1.1.0"];
const INSTALL_MS_MAX = limitMs(300_000);
/** Every call to this number is refused for now. */
const WAITS = "4915155399077";
const LANGUAGES = ["ts", "py"] as const;

const run = promisify(execFile);
const idSchema = z.looseObject({ message_id: z.guid() });

let client: InstalledClient;
let server: Waypost;
let receiverPort: number;
let samples: Map<string, string>;
/** One that no test has run yet. */
let unrun: Set<string>;

beforeAll(async () => {
  client = await installClient();
  await run("python3", ["-m", "venv", join(client.directory, "python")]);
  await run(python(), ["-m", "pip", "install", "--quiet", ...PYTHON_PACKAGES]);
  receiverPort = await freePort();
  server = await startWaypost({ env: { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${receiverPort}` } });
  const pages = await Promise.all(PAGES.map((page) => samplesOf(server.baseUrl + page)));
  samples = new Map(pages.flatMap((page) => [...page]));
  unrun = new Set(samples.keys());
  for (const [name, source] of samples)
    await (name.endsWith(".ts")
      ? client.write(name, source)
      : writeFile(join(client.directory, name), source));
}, INSTALL_MS_MAX);
afterAll(async () => {
  await server?.stop();
  await client?.remove();
});

const python = () => join(client.directory, "python/bin/python3");

interface Reader {
  readonly organization: Demo;
  readonly api: Api;
  readonly env: NodeJS.ProcessEnv;
  call(path: string, json?: object): Promise<unknown>;
}

/** A reader of the documentation, with an organization of their own. */
async function newReader(): Promise<Reader> {
  const [organization, api] = await Promise.all([demo(server), openApi(server.baseUrl)]);
  const { secret: key } = organization.api_key;
  return {
    organization,
    api,
    env: {
      ...process.env,
      WAYPOST_URL: server.baseUrl,
      WAYPOST_KEY: key,
      SIMULATOR_URL: server.simulatorUrl,
      NUMBER: organization.contacts.open_window.handle,
    },
    call: async (path, json) => (await api.call({ path, key, json })).body,
  };
}

function commandOf(sample: string): [string, string] {
  expect(samples.has(sample)).toBe(true);
  unrun.delete(sample);
  return sample.endsWith(".ts") ? [process.execPath, sample.replace(/\.ts$/, ".js")] : [python(), sample];
}

/** Runs a sample to its end. @returns its output. @throws Error if it fails. */
async function runSample(sample: string, { env }: Reader, ...args: readonly string[]): Promise<string> {
  const [program, file] = commandOf(sample);
  const { stdout } = await run(program, [file, ...args], { cwd: client.directory, env });
  return stdout.trim();
}

/** Starts a sample that receives webhooks. It ends with the test. */
function startReceiver(sample: string, { env }: Reader, more: Record<string, string>): ChildProcess {
  const [program, file] = commandOf(sample);
  const child = spawn(program, [file], { cwd: client.directory, env: { ...env, ...more }, stdio: "inherit" });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  return child;
}

const stateSchema = z.looseObject({ type: z.string(), delivery_state: z.string() });

test("all samples in TypeScript compile under strict rules, with the package of the client", () => {
  const names = [...samples.keys()].filter((name) => name.endsWith(".ts"));
  expect(names.length).toBeGreaterThan(8);
  expect(problemsIn(client, names, { resolution: "nodenext" })).toEqual([]);
});

describe.each(LANGUAGES)("in %s", (language) => {
  test("the order notification is a text in an open window, a template in a closed one, and sent once", async () => {
    const reader = await newReader();
    const { open_window, closed_window } = reader.organization.contacts;
    for (const [handle, type] of [
      [open_window.handle, "text"],
      [closed_window.handle, "template"],
    ] as const) {
      const args = [`A-${type}`, handle, "Ana"];
      const id = await runSample(`order-notifications.${language}`, reader, ...args);
      // The customer writes before the service runs again, as after a crash.
      const phoneNumberId = reader.organization.phone_number_ids.default;
      await customerWrites(server.simulatorUrl, { phoneNumberId, from: handle, body: "Hello?" });
      await until("the window is open", async () => {
        const json = { client_message_id: `open-${type}`, type: "text", text: { body: "Hi" } };
        const to = { kind: "whatsapp", handle };
        const sent = await reader.api.call({
          path: "/messages",
          key: reader.organization.api_key.secret,
          json: { ...json, to },
        });
        return sent.status < 300;
      });
      expect(await runSample(`order-notifications.${language}`, reader, ...args)).toBe(id);
      expect(stateSchema.parse(await reader.call(`/messages/${id}`)).type).toBe(type);
    }
  });

  test("the service verifies what arrives, and answers a customer once", async () => {
    const reader = await newReader();
    const url = `http://127.0.0.1:${receiverPort}/`;
    const made = z
      .looseObject({ id: z.guid(), secret: z.string() })
      .parse(await reader.call("/webhooks", { url, events: ["message.received"] }));
    startReceiver(`customer-messages.${language}`, reader, {
      WEBHOOK_SECRET: made.secret,
      PORT: String(receiverPort),
    });
    const post = () =>
      fetch(url, { method: "POST", body: "{}" }).then(
        ({ status }) => status,
        () => null,
      );
    await until("the receiver refuses what isn't signed", async () => (await post()) === 401);
    const { phone_number_ids, contacts } = reader.organization;
    const from = contacts.open_window.handle;
    const body = `Where is my parcel? ${language}`;
    await customerWrites(server.simulatorUrl, { phoneNumberId: phone_number_ids.default, from, body });
    const answers = async () =>
      (await readLedger(server.simulatorUrl)).messages.filter(
        (message) => message.body === `You wrote: ${body}`,
      );
    await until("the customer has an answer", async () => (await answers()).length > 0);
    const deliveries = z
      .object({ data: z.array(z.looseObject({ id: z.guid() })) })
      .parse(await reader.call(`/webhooks/${made.id}/deliveries`));
    const [delivery] = deliveries.data;
    await reader.call(`/webhooks/${made.id}/deliveries/${delivery?.id}/redeliver`, {});
    await until("it was delivered again", async () => {
      const again = z.looseObject({
        data: z.array(z.looseObject({ state: z.string(), attempts: z.array(z.unknown()) })),
      });
      const { data } = again.parse(await reader.call(`/webhooks/${made.id}/deliveries`));
      return data[0]?.state === "delivered" && data[0].attempts.length === 2;
    });
    expect(await answers()).toHaveLength(1);
  });

  test("a file is uploaded and sent", async () => {
    const reader = await newReader();
    await writeFile(join(client.directory, "invoice.pdf"), "%PDF-1.4\n%\u00e2\u00e3\n");
    const { handle } = reader.organization.contacts.open_window;
    const id = await runSample(`files.${language}`, reader, "invoice.pdf", handle, "A-1024");
    expect(stateSchema.parse(await reader.call(`/messages/${id}`)).type).toBe("document");
  });

  test("a list is read to its end", async () => {
    const reader = await newReader();
    const ids = Array.from({ length: 60 }, (_, place) => `paged-${place}`);
    const { secret: key } = await createKey(server, reader.organization.organization_id, {
      sendLimit: 1_000,
    });
    const to = { kind: "whatsapp", handle: reader.organization.contacts.open_window.handle };
    for (const client_message_id of ids) {
      const json = { client_message_id, type: "text", to, text: { body: "Hello" } };
      expect((await reader.api.call({ path: "/messages", key, json })).status).toBe(201);
    }
    const printed = (await runSample(`paging.${language}`, reader)).split("\n");
    expect(printed.map((line) => line.split(" ")[0])).toEqual(ids.toReversed());
  });
});

test("an endpoint that is back is resumed by a test, and what it missed is replayed", async () => {
  const reader = await newReader();
  const url = `http://127.0.0.1:${receiverPort}/`;
  const { id } = z.looseObject({ id: z.guid() }).parse(await reader.call("/webhooks", { url }));
  const withEndpoint = { ...reader, env: { ...reader.env, ENDPOINT_ID: id } };
  await expect(runSample("resume.ts", withEndpoint)).rejects.toThrow("The endpoint still fails");
  const received: string[] = [];
  const receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body);
      response.end();
    });
  }).listen(receiverPort, "127.0.0.1");
  await once(receiver, "listening");
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  await runSample("resume.ts", withEndpoint);
  const change = (enabled: boolean) =>
    reader.api.call({
      method: "PATCH",
      path: `/webhooks/${id}`,
      key: reader.organization.api_key.secret,
      json: { enabled },
    });
  await change(false);
  const to = { kind: "whatsapp", handle: reader.organization.contacts.open_window.handle };
  await reader.call("/messages", { client_message_id: "missed", type: "text", to, text: { body: "Hello" } });
  await until("events were skipped", async () => {
    const skipped = z.object({ data: z.array(z.unknown()) });
    return skipped.parse(await reader.call(`/webhooks/${id}/deliveries?state=skipped`)).data.length > 0;
  });
  await change(true);
  expect(await runSample("replay.ts", withEndpoint)).toMatch(/^0 failed\n[1-9]\d* skipped$/);
  await until("they are posted", async () => received.some((body) => body.includes("missed")));
});

test("workers of a fleet send each job once, and go on after a job that is refused", async () => {
  const reader = await newReader();
  const { handle } = reader.organization.contacts.closed_window;
  const jobs = ["A-1", "A-2", "A-3"].map((order) => ({ order, handle }));
  const env = { ...reader.env, JOBS: JSON.stringify([{ order: "A-0", handle: "12" }, ...jobs, ...jobs]) };
  const printed = (await runSample("worker-fleet.ts", { ...reader, env })).split("\n");
  expect(printed).toHaveLength(7);
  expect(printed).toContain("A-0 refused invalid_whatsapp_number");
  const accepted = printed.filter((line) => !line.includes("refused"));
  expect(new Set(accepted.map((line) => line.split(" ")[1])).size).toBe(3);
});

test("the client's own page shows how to send", async () => {
  const reader = await newReader();
  const [id] = (await runSample("client-send.ts", reader)).split(" ");
  expect(idSchema.parse(await reader.call(`/messages/${id}`)).message_id).toBe(id);
});

// Last, because all organizations of the server have the moved time afterwards.
test("the clock makes a message expire, and closes the window", async () => {
  const reader = await newReader();
  const phoneNumberId = reader.organization.phone_number_ids.default;
  await customerWrites(server.simulatorUrl, { phoneNumberId, from: WAITS, body: "Hi" });
  await until("the window is open", async () => {
    const to = { kind: "whatsapp", handle: WAITS };
    const json = { client_message_id: "is-open", type: "text", to, text: { body: "Hello" } };
    return (
      (await reader.api.call({ path: "/messages", key: reader.organization.api_key.secret, json })).status ===
      201
    );
  });
  await runSample("clock.ts", { ...reader, env: { ...reader.env, WAITING_NUMBER: WAITS } });
});

test("every sample was run", () => {
  expect([...unrun]).toEqual([]);
});
