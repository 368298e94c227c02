import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { transform } from "esbuild";
import { Webhook } from "standardwebhooks";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createKey, demo } from "@/e2e/support/cli";
import { freePort } from "@/e2e/support/free-port";
import { REPOSITORY } from "@/e2e/support/program";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";

const MINUTE_MS = 60_000;

let server: Waypost;
let key: string;
/** Of the program that is on the page. */
let port: number;
/** Below node_modules, so that samples find their packages. */
let directory: string;
/** The samples of the page, by name, as a reader copies them. */
let samples: ReadonlyMap<string, string>;
/** A webhook as it came in while a rotation lasted. */
let delivered: Delivered;

interface Delivered {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The former secret, and the present one. */
  readonly secrets: readonly [string, string];
}

beforeAll(async () => {
  port = await freePort();
  const capturePort = await freePort();
  const ALLOWED_PRIVATE_HOSTS = [port, capturePort].map((one) => `127.0.0.1:${one}`).join(",");
  server = await startWaypost({ env: { ALLOWED_PRIVATE_HOSTS } });
  const { organization_id: organizationId } = await demo(server);
  ({ secret: key } = await createKey(server, organizationId, { scopes: ["webhooks:manage"] }));
  const cache = join(REPOSITORY, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  directory = await mkdtemp(join(cache, "waypost-samples-"));
  samples = await samplesOf("/docs/webhooks/verifying");
  delivered = await deliverOnce(capturePort);
});
afterAll(async () => {
  await server?.stop();
  if (directory) await rm(directory, { recursive: true });
});

async function samplesOf(path: string): Promise<Map<string, string>> {
  const page = await (await fetch(server.baseUrl + path)).text();
  const found = page.matchAll(/<pre[^>]* data-sample="([a-z]+)"[^>]*><code>([^<]*)<\/code>/g);
  return new Map([...found].map(([, name = "", html = ""]) => [name, decode(html)]));
}

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", "#x27": "'" };
const decode = (html: string) => html.replace(/&([a-z0-9#]+);/g, (_, name: string) => ENTITIES[name] ?? "?");

function sample(name: string): string {
  const found = samples.get(name);
  if (found === undefined) throw new Error(`The page has no sample ${name}`);
  return found;
}

const endpointSchema = z.object({ id: z.guid(), secret: z.string() });
const testSchema = z.object({ state: z.string(), http_status: z.number().nullable() });

async function call<S extends z.ZodType>(path: string, schema: S, body?: object): Promise<z.output<S>> {
  const response = await fetch(`${server.baseUrl}/api/public/v1/webhooks${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return schema.parse(await response.json());
}

const newEndpoint = (toPort: number) => call("", endpointSchema, { url: `http://127.0.0.1:${toPort}/` });
const rotate = (id: string) => call(`/${id}/rotate-secret`, endpointSchema);
const testEndpoint = (id: string) => call(`/${id}/test`, testSchema);

/** Has a test delivered to an endpoint whose secret was just rotated. */
async function deliverOnce(toPort: number): Promise<Delivered> {
  const { id, secret: former } = await newEndpoint(toPort);
  const { secret } = await rotate(id);
  let got: Pick<Delivered, "headers" | "body"> | undefined;
  const capture = createServer((request, response) => {
    void text(request).then((body) => {
      const named = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      got = { headers: Object.fromEntries(named), body };
      response.writeHead(204).end();
    });
  }).listen(toPort, "127.0.0.1");
  await once(capture, "listening");
  expect(await testEndpoint(id)).toEqual({ state: "delivered", http_status: 204 });
  capture.closeAllConnections();
  capture.close();
  if (!got) throw new Error("Nothing was delivered");
  return { ...got, secrets: [former, secret] };
}

/** The program on the page, as its reader starts it. */
async function startReceiver(secret: string): Promise<ChildProcess & { printed: () => string }> {
  const file = join(directory, "receiver.mjs");
  await writeFile(file, (await transform(sample("receiver"), { loader: "ts", format: "esm" })).code);
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout?.setEncoding("utf8").on("data", (words: string) => (printed += words));
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await until("the receiver listens", isUp);
  return Object.assign(child, { printed: () => printed });
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

test("the program takes what Waypost posts, under either secret while a rotation lasts, and nothing else", async () => {
  const { id, secret } = await newEndpoint(port);
  const former = await startReceiver(secret);
  expect(await testEndpoint(id)).toEqual({ state: "delivered", http_status: 204 });
  const { secret: present } = await rotate(id);
  expect(await testEndpoint(id)).toEqual({ state: "delivered", http_status: 204 });
  await end(former);
  expect(former.printed().match(/^[0-9a-f-]{36} webhook\.test/gm)).toHaveLength(2);
  const renewed = await startReceiver(present);
  expect(await testEndpoint(id)).toEqual({ state: "delivered", http_status: 204 });
  await end(renewed);
  const another = await startReceiver(`whsec_${Buffer.alloc(32, 7).toString("base64")}`);
  expect(await testEndpoint(id)).toEqual({ state: "failed", http_status: 401 });
  await end(another);
});

interface Case {
  readonly name: string;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isGenuine: boolean;
}

/** What a verification by hand has to tell apart. */
function cases(): readonly Case[] {
  const { headers, body, secrets } = delivered;
  const [former, present] = secrets;
  const genuine = { secret: present, headers, body, isGenuine: true };
  const false_ = { ...genuine, isGenuine: false };
  const id = headers["webhook-id"] ?? "";
  const signatures = headers["webhook-signature"] ?? "";
  const at = (offsetMs: number) => {
    const time = new Date(Date.now() + offsetMs);
    const signature = new Webhook(present).sign(id, time, body);
    const timestamp = String(Math.floor(time.getTime() / 1000));
    return { ...headers, "webhook-timestamp": timestamp, "webhook-signature": signature };
  };
  const without = (name: string) =>
    Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
  const withSignature = (value: string) => ({ ...headers, "webhook-signature": value });
  return [
    { ...genuine, name: "under the present secret" },
    { ...genuine, name: "under the former secret", secret: former },
    { ...genuine, name: "four minutes ago", headers: at(-4 * MINUTE_MS) },
    { ...genuine, name: "of a clock that is ahead", headers: at(4 * MINUTE_MS) },
    { ...false_, name: "under another secret", secret: `whsec_${Buffer.alloc(32, 7).toString("base64")}` },
    { ...false_, name: "another body", body: `${body} ` },
    { ...false_, name: "another id", headers: { ...headers, "webhook-id": `${id}0` } },
    { ...false_, name: "six minutes ago", headers: at(-6 * MINUTE_MS) },
    { ...false_, name: "in six minutes", headers: at(6 * MINUTE_MS) },
    { ...false_, name: "no id", headers: without("webhook-id") },
    { ...false_, name: "no time", headers: without("webhook-timestamp") },
    { ...false_, name: "no signature", headers: without("webhook-signature") },
    { ...false_, name: "a time that is none", headers: { ...headers, "webhook-timestamp": "²" } },
    { ...false_, name: "another version", headers: withSignature(signatures.replaceAll("v1,", "v2,")) },
    { ...false_, name: "half a signature", headers: withSignature(signatures.slice(0, 20)) },
    { ...false_, name: "a signature that is none", headers: withSignature("v1 v1, ü,") },
  ];
}

/** What each of the cases came to. */
async function verdicts(run: (file: string) => string): Promise<Record<string, boolean>> {
  const file = join(directory, "cases.json");
  await writeFile(file, JSON.stringify(cases()));
  const told = z.array(z.boolean()).parse(JSON.parse(run(file)));
  return Object.fromEntries(cases().map(({ name }, place) => [name, told[place] ?? false]));
}

const expected = () => Object.fromEntries(cases().map(({ name, isGenuine }) => [name, isGenuine]));

describe("by hand", () => {
  test("in TypeScript", async () => {
    const { code } = await transform(sample("typescript"), { loader: "ts", format: "esm" });
    await writeFile(join(directory, "verify.mjs"), code);
    const driver = join(directory, "drive.mjs");
    await writeFile(
      driver,
      `import { readFileSync } from "node:fs";
       import { isGenuine } from "./verify.mjs";
       const cases = JSON.parse(readFileSync(process.argv[2], "utf8"));
       console.log(JSON.stringify(cases.map(({ secret, headers, body }) => isGenuine(secret, headers, Buffer.from(body)))));`,
    );
    const run = (file: string) => execFileSync(process.execPath, [driver, file], { encoding: "utf8" });
    expect(await verdicts(run)).toEqual(expected());
  });

  test("in Python", async () => {
    await writeFile(join(directory, "verify.py"), sample("python"));
    const driver = join(directory, "drive.py");
    await writeFile(
      driver,
      `import json, sys
from verify import is_genuine
with open(sys.argv[1], encoding="utf8") as file:
    cases = json.load(file)
print(json.dumps([is_genuine(one["secret"], one["headers"], one["body"].encode()) for one in cases]))
`,
    );
    const run = (file: string) => execFileSync("python3", [driver, file], { encoding: "utf8" });
    expect(await verdicts(run)).toEqual(expected());
  });

  test("with OpenSSL, under each of the secrets", async () => {
    const { headers, body, secrets } = delivered;
    const signatures = headers["webhook-signature"]?.split(" ");
    const [ofFormer, ofPresent, ofAnother] = await Promise.all([
      signatureByShell(secrets[0], body),
      signatureByShell(secrets[1], body),
      signatureByShell(secrets[1], `${body} `),
    ]);
    expect(signatures).toEqual([ofPresent, ofFormer]);
    expect(signatures).not.toContain(ofAnother);
  });
});

async function signatureByShell(secret: string, body: string): Promise<string> {
  const cwd = await mkdtemp(join(directory, "shell-"));
  await writeFile(join(cwd, "body.json"), body);
  const { "webhook-id": id, "webhook-timestamp": timestamp } = delivered.headers;
  const env = { ...process.env, WEBHOOK_SECRET: secret, WEBHOOK_ID: id, WEBHOOK_TIMESTAMP: timestamp };
  return execFileSync("sh", ["-ec", sample("openssl")], { cwd, env, encoding: "utf8" });
}

test("what is signed and posted from a shell is taken by the program, and refused with another secret", async () => {
  const [, secret] = delivered.secrets;
  const curl = join(directory, "curl");
  await writeFile(curl, `#!/bin/sh\nexec node "${REPOSITORY}/e2e/support/curl.mjs" "$@"\n`);
  await chmod(curl, 0o755);
  const receiver = await startReceiver(secret);
  const postWith = (WEBHOOK_SECRET: string) => {
    const PATH = `${directory}${delimiter}${process.env.PATH ?? ""}`;
    const env = { ...process.env, PATH, RECEIVER_URL: `http://127.0.0.1:${port}/`, WEBHOOK_SECRET };
    return text(spawn("sh", ["-ec", sample("post")], { env, stdio: ["ignore", "pipe", "inherit"] }).stdout);
  };
  expect(await postWith(secret)).toContain(" 204 ");
  expect(
    await postWith(secret.replace(/^whsec_./, (begin) => (begin.endsWith("A") ? "whsec_B" : "whsec_A"))),
  ).toContain(" 401 ");
  await end(receiver);
});

test("the TypeScript is without an error under strict rules", async () => {
  const names = ["receiver", "typescript"];
  const files = names.map((name) => join(directory, `${name}.ts`));
  await Promise.all(names.map((name, place) => writeFile(files[place] ?? "", sample(name))));
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ["node"],
    typeRoots: [join(REPOSITORY, "node_modules", "@types")],
  });
  const faults = ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
  expect(faults).toEqual([]);
});
