import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demo, type Demo } from "@/e2e/support/cli";
import { askSharedServer, type SharedServer } from "@/e2e/support/shared-server";
import { until } from "@/e2e/support/until";
import { type CreateWebhookRequest, Waypost } from "@/server/client/index";
import { type InstalledClient, installClient, readSamples } from "./installed";

const NUMBER = "4915112345678";

let client: InstalledClient;
let server: SharedServer;
let organization: Demo;
let waypost: Waypost;
let samples: ReadonlyMap<string, string>;
let unrun: Set<string>;

beforeAll(async () => {
  [client, server, samples] = await Promise.all([installClient(), askSharedServer(), readSamples()]);
  organization = await demo(server);
  waypost = new Waypost({ apiKey: organization.api_key.secret, baseUrl: server.baseUrl });
  unrun = new Set(samples.keys());
  await write("waypost.ts");
});
afterAll(() => client?.remove());

/** Writes a sample as a reader copies it, with values of the reader. */
async function write(name: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
  const { handle } = organization.contacts.open_window;
  const own = Object.entries({ [NUMBER]: handle, ...values });
  const source = own.reduce((text, [given, value]) => text.replaceAll(given, value), samples.get(name) ?? "");
  unrun.delete(name);
  await client.write(name, source);
}

const env = (more: Readonly<Record<string, string>> = {}) => ({
  ...process.env,
  WAYPOST_URL: server.baseUrl,
  WAYPOST_KEY: organization.api_key.secret,
  ...more,
});

async function run(file: string, more?: Readonly<Record<string, string>>): Promise<string> {
  const options = { cwd: client.directory, env: env(more) };
  return (await promisify(execFile)(process.execPath, [file], options)).stdout.trim();
}

interface Running {
  readonly child: ChildProcess;
  readonly printed: () => string;
}

function start(file: string, more: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, [file], { cwd: client.directory, env: env(more) });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text));
  return { child, printed: () => printed };
}

async function end({ child }: Running): Promise<number | null> {
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

test("send.ts sends a message", async () => {
  await write("send.ts");
  expect(await run("send.js")).toMatch(/^[0-9a-f-]{36} (queued|sent|delivered|read)$/);
  const { data } = await waypost.messages.list({ client_message_id: "order-4711-shipped" });
  expect(data).toHaveLength(1);
});

test("errors.ts sends a template where no text is allowed", async () => {
  await write("errors.ts");
  const { open_window: open, closed_window: closed } = organization.contacts;
  await client.write(
    "ship.ts",
    `import { orderShipped } from "./errors.js";
     await orderShipped("1", "${open.handle}", "Ada");
     await orderShipped("2", "${closed.handle}", "Grace");`,
  );
  await run("ship.js");
  const ids = ["1-shipped", "2-shipped"];
  const lists = await Promise.all(ids.map((id) => waypost.messages.list({ client_message_id: id }).page()));
  const types = lists.map(({ data: [message] }) => message?.type);
  expect(types).toEqual(["text", "template"]);
});

test("list.ts lists messages", async () => {
  await write("list.ts");
  expect(await run("list.js")).toMatch(/^\d+ null$/m);
});

test("upload.ts sends a file", async () => {
  await write("upload.ts");
  await writeFile(join(client.directory, "invoice.pdf"), "%PDF-1.4\n%%EOF\n");
  await run("upload.js");
  const { data } = await waypost.messages.list({ client_message_id: "order-4711-invoice" });
  expect(data[0]).toMatchObject({ type: "document" });
});

test("receive.ts takes what Waypost posts, and refuses others", async () => {
  const port = String(await server.receiverPort());
  await write("receive.ts", { 4000: port });
  const url = `http://127.0.0.1:${port}/`;
  const { id, secret } = await waypost.webhooks.create({ url });
  const receiver = start("receive.js", { WAYPOST_WEBHOOK_SECRET: secret });
  try {
    await until("it listens", () =>
      fetch(url).then(
        ({ status }) => status === 400,
        () => false,
      ),
    );
    expect(await waypost.webhooks.test(id)).toMatchObject({ state: "delivered", http_status: 204 });
    await waypost.messages.send({
      client_message_id: "received",
      type: "text",
      to: { kind: "whatsapp", handle: organization.contacts.open_window.handle },
      text: { body: "Hi" },
    });
    await until("it prints the delivery", () => receiver.printed().includes("delivered received"));
    expect(receiver.printed()).toContain("webhook.test");
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(400);
  } finally {
    await end(receiver);
    await waypost.webhooks.delete(id);
  }
});

/** Messages of other tests are still read while these run. */
const ONLY_TESTS: CreateWebhookRequest = { url: null, events: ["message.failed"] };

test("route.ts takes what Waypost signs, and refuses others", async () => {
  await write("route.ts");
  const { id, secret } = await waypost.webhooks.create(ONLY_TESTS);
  await waypost.webhooks.test(id);
  const { body, headers } = await until("the event is there", async () => {
    const query = { order: "oldest", include: "payload" } as const;
    return (await waypost.webhooks.deliveries(id, query)).data[0];
  });
  const request = (text: string | null | undefined) =>
    `new Request("http://x/", { method: "POST", body: ${JSON.stringify(text)}, headers: ${JSON.stringify(headers)} })`;
  await client.write(
    "serve.ts",
    `import { POST } from "./route.js";
     console.log((await POST(${request(body)})).status, (await POST(${request(`${body} `)})).status);`,
  );
  const printed = await run("serve.js", { WAYPOST_WEBHOOK_SECRET: secret });
  expect(printed.split("\n")).toEqual([expect.stringMatching(/ webhook\.test$/), "204 400"]);
});

test("pull.ts fetches events, and continues after a restart where it stopped", async () => {
  await write("pull.ts");
  const { id } = await waypost.webhooks.create(ONLY_TESTS);
  const more = { WAYPOST_ENDPOINT_ID: id };
  let printed = "";
  for (const _ of ["first start", "second start"]) {
    await waypost.webhooks.test(id);
    const puller = start("pull.js", more);
    await until("it has an event", () => puller.printed().includes("webhook.test"));
    expect(await end(puller)).toBe(0);
    printed += puller.printed();
  }
  const events = printed.trim().split("\n");
  expect(events).toEqual([
    expect.stringMatching(/^[0-9a-f-]{36} webhook\.test$/),
    expect.stringMatching(/^[0-9a-f-]{36} webhook\.test$/),
  ]);
  expect(new Set(events).size).toBe(2);
});

test("no sample is left", () => {
  expect([...unrun]).toEqual([]);
});
