import { execFile } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBrowser } from "@/e2e/support/browser";
import { demo, type Demo } from "@/e2e/support/cli";
import { askSharedServer, type SharedServer } from "@/e2e/support/shared-server";
import { until } from "@/e2e/support/until";
import { Waypost } from "@/server/client/index";
import { closeServer, listen } from "@/server/edge/http/listen";
import { type InstalledClient, installClient, problemsIn, readSamples } from "./installed";

let client: InstalledClient;
let server: SharedServer;
let organization: Demo;

beforeAll(async () => {
  client = await installClient();
  server = await askSharedServer();
  organization = await demo(server);
});
afterAll(() => client?.remove());

test("the package has what it needs, and nothing else", async () => {
  expect(client.files.filter((file) => !/^dist\/[\w-]+\.d\.ts$/.test(file)).toSorted()).toEqual([
    "README.md",
    "dist/index.js",
    "package.json",
  ]);
  const code = await readFile(join(client.directory, "node_modules/waypost-client/dist/index.js"), "utf8");
  expect(code).not.toMatch(/\bimport\b *[({"]|\bfrom "|\brequire\(|\bBuffer\.|\bprocess\./);
});

/** A program that compiles. Each line below `@ts-expect-error` must not. */
const TYPES = `
import { type ErrorCode, type Event, type Message, type MessageStateChange, type SendMessageRequest, type UnknownEvent, Waypost, WaypostError } from "waypost-client";
export const waypost = new Waypost({ apiKey: "k", baseUrl: "https://waypost.test" });
const to = { kind: "whatsapp", handle: "4915112345678" } as const;
export const requests: SendMessageRequest[] = [
  { client_message_id: "1", type: "text", to, text: { body: "Hi" } },
  { client_message_id: "2", type: "image", thread_id: "t", media: { url: "https://a.test/a.jpg" } },
  { client_message_id: "3", type: "template", to, template: { name: "a", language: "de" } },
  // @ts-expect-error A text needs its text.
  { client_message_id: "4", type: "text", to },
  // @ts-expect-error A message needs a destination.
  { client_message_id: "5", type: "text", text: { body: "Hi" } },
  // @ts-expect-error And only one.
  { client_message_id: "6", type: "text", to, thread_id: "t", text: { body: "Hi" } },
  // @ts-expect-error A file needs a source.
  { client_message_id: "7", type: "image", to, media: {} },
  // @ts-expect-error A template needs a name and a language.
  { client_message_id: "8", type: "template", to, template: { name: "a" } },
  // @ts-expect-error There is no such type.
  { client_message_id: "9", type: "fax", to, text: { body: "Hi" } },
  // @ts-expect-error A text has no file.
  { client_message_id: "10", type: "text", to, text: { body: "Hi" }, media: { url: "https://a.test/a.jpg" } },
];
const none = undefined;
export const absent: SendMessageRequest[] = [
  { client_message_id: "1", type: "text", to, thread_id: none, channel_id: none, text: { body: "Hi" } },
  { client_message_id: "2", type: "image", thread_id: "t", to: none, text: none, media: { url: "u", storage_key: none, mime_type: none } },
  { client_message_id: "3", type: "template", to, channel_id: none, template: { name: "a", language: "de", variables: none } },
];
export const endpoints = () => [
  waypost.webhooks.create({ url: null, events: none, since: none }),
  waypost.webhooks.update("1", { enabled: none }),
  waypost.webhooks.replay("1", { since: new Date(), only: "all", until: none, replay_id: none }),
  // @ts-expect-error What is needed can't be undefined.
  waypost.webhooks.replay("1", { since: none, only: "all" }),
];
export function bodyOf(message: Message): string | null | undefined {
  if (message.direction === "outbound") return message.content?.text?.body ?? message.to.handle;
  if (message.content?.type === "image") return message.content.media.mime_type;
  // @ts-expect-error A customer's message has no state.
  message.delivery_state.length;
  return message.content?.type === "text" ? message.content.text.body : message.from.handle;
}
export function nameOf(event: Event): string {
  switch (event.type) {
    case "message.received":
      return event.data.content.type === "text" ? event.data.content.text.body : event.data.content.type;
    case "webhook.test":
      return event.data.message;
    case "message.sent": case "message.delivered": case "message.read": case "message.failed": {
      const change: MessageStateChange = event.data;
      return change.delivery_state;
    }
    case "contact.opted_out": case "contact.opted_in":
      return event.data.source;
    case "contact.changed":
      return event.data.new.handle ?? "";
    default: {
      const unknown: UnknownEvent = event;
      return unknown.type;
    }
  }
}
export const isKnown = (code: ErrorCode) => code === "rate_limited" || code === "a_code_of_tomorrow";
export const codeOf = (error: unknown) => (error instanceof WaypostError ? error.code : undefined);
export async function read() {
  // @ts-expect-error There is no such state.
  waypost.messages.list({ state: "lost" });
  // @ts-expect-error An endpoint is for events that exist.
  void waypost.webhooks.create({ url: null, events: ["message.lost"] });
  const { data, next_cursor } = await waypost.channels.list({ limit: 1 });
  const cursor: string | null = next_cursor;
  const { data: next } = await waypost.channels.list({ limit: 1, cursor: next_cursor ?? undefined }).page();
  // @ts-expect-error Null is the end: it would be the first page again.
  void waypost.channels.list({ cursor: null });
  for await (const template of waypost.templates.list({ state: "approved" })) return template.name;
  return data[0]?.display_phone_number ?? next[0]?.id ?? cursor;
}
`;

describe("the types, and the samples of the README, fit a strict program", () => {
  test.each(["nodenext", "bundler"] as const)("for Node with %s", async (resolution) => {
    const programs = [...(await readSamples()), ["types.ts", TYPES] as const];
    await Promise.all(programs.map(([name, source]) => client.write(name, source)));
    const names = programs.map(([name]) => name);
    expect(names).toContain("waypost.ts");
    expect(problemsIn(client, names, { resolution })).toEqual([]);
  });

  test("for browsers", async () => {
    await client.write("types.ts", TYPES);
    expect(problemsIn(client, ["types.ts"], { resolution: "bundler", isForBrowsers: true })).toEqual([]);
  });
});

test("it runs on Node, imported and required", async () => {
  await client.write(
    "run.ts",
    `import { Waypost } from "waypost-client";
     const { WAYPOST_KEY: apiKey, WAYPOST_URL: baseUrl } = process.env;
     console.log((await new Waypost({ apiKey, baseUrl }).ping()).organization_id);`,
  );
  const env = { ...process.env, WAYPOST_KEY: organization.api_key.secret, WAYPOST_URL: server.baseUrl };
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ["run.js"], { cwd: client.directory, env });
  expect(stdout.trim()).toBe(organization.organization_id);
  const program = 'console.log(typeof require("waypost-client").Waypost)';
  await writeFile(join(client.directory, "required.cjs"), program);
  const required = await run(process.execPath, ["required.cjs"], { cwd: client.directory });
  expect(required.stdout.trim()).toBe("function");
});

/** The page, whose script uses the client. */
const PAGE = `<!doctype html><title>Client</title><script type="module">
import { verifyWebhook, Waypost, WaypostError } from "/index.js";
window.run = async ({ apiKey, baseUrl, handle, webhook }) => {
  const waypost = new Waypost({ apiKey, baseUrl: location.origin });
  const message = { client_message_id: "from-chromium", type: "text", to: { kind: "whatsapp", handle }, text: { body: "Hi" } };
  const sent = await waypost.messages.send(message);
  const again = await waypost.messages.send(message);
  const ids = [];
  for await (const { client_message_id } of waypost.messages.list({ limit: 1 })) ids.push(client_message_id);
  const file = new File(["%PDF-1.4\\n"], "Größe.pdf", { type: "application/pdf" });
  const { size } = await waypost.uploads.create(file);
  const refused = await waypost.messages.get("0198f0a4-5b5e-7c3a-9d1f-2f6f0a3c8e11").catch((error) => error);
  const redirected = await new Waypost({ apiKey, baseUrl: location.origin + "/moved", maxRetries: 0 }).ping().catch((error) => error);
  const late = await new Waypost({ apiKey, baseUrl: location.origin + "/hang", timeoutMs: 50, maxRetries: 0 }).ping().catch((error) => error);
  const elsewhere = await new Waypost({ apiKey, baseUrl, maxRetries: 0 }).ping().catch((error) => error);
  const event = await verifyWebhook(webhook.body, new Headers(webhook.headers), webhook.secret);
  const forged = await verifyWebhook(webhook.body + " ", webhook.headers, webhook.secret).catch((error) => error);
  return {
    again: again.deduplicated && again.message_id === sent.message_id, ids, size,
    refused: refused instanceof WaypostError && refused.code,
    redirected: redirected.message, late: late.reason, elsewhere: elsewhere.reason, event: event.type, forged: forged.reason,
  };
};
</script>`;

/** An event as Waypost signs it. */
async function signedTest() {
  const waypost = new Waypost({ apiKey: organization.api_key.secret, baseUrl: server.baseUrl });
  const { id, secret } = await waypost.webhooks.create({ url: null, events: ["message.failed"] });
  await waypost.webhooks.test(id);
  return until("the event can be fetched", async () => {
    const { data } = await waypost.webhooks.deliveries(id, { order: "oldest", include: "payload" });
    const [{ body, headers } = {}] = data;
    return body && headers && { secret, body, headers };
  });
}

test("it runs in Chromium", async () => {
  const bundle = await readFile(join(client.directory, "node_modules/waypost-client/dist/index.js"));
  const forward = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = "GET", url = "", headers } = request;
    const names = ["authorization", "content-type", "x-filename"].filter((name) => name in headers);
    const passed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
    const body = method === "POST" ? { body: await buffer(request) } : {};
    const answer = await fetch(server.baseUrl + url, { method, headers: passed, ...body });
    response.writeHead(answer.status, { "Content-Type": "application/json" }).end(await answer.text());
  };
  // Waypost doesn't answer other origins, so the page and the API have one.
  const origin = createServer((request, response) => {
    const { url = "" } = request;
    if (url === "/") response.setHeader("Content-Type", "text/html; charset=utf-8").end(PAGE);
    else if (url === "/index.js") response.setHeader("Content-Type", "text/javascript").end(bundle);
    else if (url.startsWith("/moved")) response.writeHead(307, { Location: "/" }).end();
    else if (!url.startsWith("/hang")) forward(request, response).catch(() => response.destroy());
  });
  const port = await listen(origin, 0, "127.0.0.1");
  const context = await (await openBrowser()).newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const { secret: apiKey } = organization.api_key;
    const { handle } = organization.contacts.open_window;
    const argument = { apiKey, baseUrl: server.baseUrl, handle, webhook: await signedTest() };
    const result = await page.evaluate(`window.run(${JSON.stringify(argument)}).catch(String)`);
    expect(result).toEqual({
      again: true,
      ids: ["from-chromium"],
      size: 9,
      refused: "message_not_found",
      redirected: "The answer to ping is a redirect, which isn't followed. Check `baseUrl`.",
      late: "timeout",
      elsewhere: "network",
      event: "webhook.test",
      forged: "signature",
    });
  } finally {
    await context.close();
    origin.closeAllConnections();
    await closeServer(origin);
  }
});
