import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { createKey, demo } from "@/e2e/support/cli";
import { type Api, BASE_PATH, openApi } from "@/e2e/support/api";
import { limitMs } from "@/e2e/support/machine-speed";
import { REPOSITORY } from "@/e2e/support/program";
import { askSharedServer } from "@/e2e/support/shared-server";
import { until } from "@/e2e/support/until";
import { SCOPE_NAMES } from "@/server/core/capabilities";

/** The tools have a package of their own, so that nobody who runs Waypost has to install them. */
const TOOLS = join(REPOSITORY, "e2e/generators/tools");
const INSTALL_MS_MAX = limitMs(240_000);
const TOOL_MS_MAX = limitMs(120_000);
/** Linters refuse an address of this machine. */
const PUBLIC_URL = "https://waypost.test";
/** Besides one file for each schema and each operation: the client itself, and the schemas without a name. */
const PYTHON_FILES_BESIDE_MAX = 50;
const STEPS = ["sends", "sends again", "is refused", "gets", "lists", "uploads", "verifies"];

const run = promisify(execFile);

let directory: string;
let document: string;
let settings: string;
let api: Api;
let key: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "waypost-generators-"));
  await Promise.all([installTools(), installPython()]);
  const server = await askSharedServer();
  const { organization_id, contacts } = await demo(server);
  ({ secret: key } = await createKey(server, organization_id, { scopes: SCOPE_NAMES }));
  api = await openApi(server.baseUrl);
  document = join(directory, "openapi.json");
  await writeFile(document, JSON.stringify(api.document));
  const { handle } = contacts.open_window;
  const baseUrl = server.baseUrl + BASE_PATH;
  settings = JSON.stringify({ baseUrl, key, handle, webhook: await receiveOne(handle) });
}, INSTALL_MS_MAX);
afterAll(() => rm(directory, { recursive: true, force: true }));

async function installTools(): Promise<void> {
  await run("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], { cwd: TOOLS });
  await symlink(join(TOOLS, "node_modules"), join(directory, "node_modules"));
  await cp(join(TOOLS, "programs"), directory, { recursive: true });
  await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module" }));
}

async function installPython(): Promise<void> {
  await run("python3", ["-m", "venv", join(directory, "python")]);
  await run(python("pip"), ["install", "--quiet", "--requirement", join(TOOLS, "requirements.txt")]);
}

const python = (program: string) => join(directory, "python/bin", program);

/** Runs a tool of npm. @returns its output. @throws Error with its output if it fails. */
async function tool(name: string, ...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(join(TOOLS, "node_modules/.bin", name), args, { cwd: directory });
  return stdout + stderr;
}

const deliveriesSchema = z.object({
  data: z.array(z.object({ type: z.string(), body: z.string(), headers: z.record(z.string(), z.string()) })),
});

/** Fetches the event of a message that is sent, as it would be posted. */
async function receiveOne(handle: string): Promise<object> {
  const created = await api.call({ path: "/webhooks", key, json: { url: null, events: ["message.sent"] } });
  const { id, secret } = z.object({ id: z.string(), secret: z.string() }).parse(created.body);
  const text = { client_message_id: "generators", type: "text", text: { body: "For an event" } };
  await api.call({ path: "/messages", key, json: { ...text, to: { kind: "whatsapp", handle } } });
  return until("the event can be fetched", async () => {
    const path = `/webhooks/${id}/deliveries?include=payload&order=oldest`;
    const [event] = deliveriesSchema.parse((await api.call({ path, key })).body).data;
    return event && { secret, headers: event.headers, body: event.body };
  });
}

describe("linters have nothing to say", () => {
  beforeAll(async () => {
    const text = await readFile(document, "utf8");
    const origin = new URL(z.object({ baseUrl: z.string() }).parse(JSON.parse(settings)).baseUrl).origin;
    await writeFile(join(directory, "public.json"), text.replaceAll(origin, PUBLIC_URL));
    await writeFile(join(directory, "spectral.yaml"), 'extends: ["spectral:oas"]\n');
  });

  test("@redocly/cli", { timeout: TOOL_MS_MAX }, async () => {
    const output = await tool("redocly", "lint", "public.json", "--format", "json");
    const [json = ""] = /\{[^]*\}/.exec(output) ?? [];
    expect(JSON.parse(json)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 } });
  });

  test("@stoplight/spectral-cli", { timeout: TOOL_MS_MAX }, async () => {
    const arguments_ = ["lint", "public.json", "--ruleset", "spectral.yaml", "--fail-severity", "hint"];
    const output = await tool("spectral", ...arguments_, "--format", "json");
    expect(JSON.parse(output.slice(0, output.lastIndexOf("]") + 1))).toEqual([]);
  });
});

describe("a generated client compiles, and works", () => {
  test("openapi-typescript with openapi-fetch", { timeout: TOOL_MS_MAX }, async () => {
    await tool("openapi-typescript", document, "--output", "openapi-typescript.ts");
    await compile("openapi-fetch.ts");
    expect(await runCompiled("openapi-fetch.ts")).toEqual(STEPS);
  });

  test("@hey-api/openapi-ts", { timeout: TOOL_MS_MAX }, async () => {
    await tool("openapi-ts", "--input", document, "--output", "hey-api", "--no-log-file");
    await compile("hey-api.ts");
    expect(await runCompiled("hey-api.ts")).toEqual(STEPS);
  });

  test("openapi-python-client", { timeout: TOOL_MS_MAX }, async () => {
    const target = join(directory, "waypost_client");
    const arguments_ = ["generate", "--path", document, "--output-path", target, "--meta", "none"];
    const { stdout, stderr } = await run(python("openapi-python-client"), arguments_, {
      env: { ...process.env, PATH: `${python("")}:${process.env.PATH}` },
    });
    expect(stdout + stderr).not.toMatch(/warning|error/i);
    const files = (await readdir(target, { recursive: true })).filter((name) => name.endsWith(".py"));
    const described =
      Object.keys(schemasOf(api.document)).length + Object.keys(operationsOf(api.document)).length;
    expect(files.length).toBeLessThanOrEqual(described + PYTHON_FILES_BESIDE_MAX);
    await run(python("python"), ["-m", "compileall", "-q", target]);
    const program = await run(python("python"), [join(directory, "use_client.py")], {
      env: { ...process.env, SETTINGS: settings },
    });
    expect(program.stdout.trim().split("\n")).toEqual(STEPS);
  });

  /** As an integrator does who has strict settings. */
  async function compile(program: string): Promise<void> {
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "esnext", "--types", "node"];
    await tool("tsc", ...options, "--moduleResolution", "bundler", "--skipLibCheck", program);
  }

  async function runCompiled(program: string): Promise<readonly string[]> {
    const outfile = join(directory, "built", program.replace(".ts", ".mjs"));
    await build({
      entryPoints: [join(directory, program)],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "error",
    });
    const { stdout } = await run(process.execPath, [outfile], {
      env: { ...process.env, SETTINGS: settings },
    });
    return stdout.trim().split("\n");
  }
});

const itemSchema = z.object({
  name: z.string(),
  request: z.object({
    method: z.string(),
    url: z.object({ host: z.array(z.string()), path: z.array(z.string()) }),
    auth: z.unknown(),
  }),
});
type Item = z.infer<typeof itemSchema>;

test(
  "openapi-to-postmanv2 makes a request of each operation, with an address and a key",
  async () => {
    const file = join(directory, "postman.json");
    await tool("openapi2postmanv2", "--spec", document, "--output", file);
    const collection = z
      .object({
        item: z.array(z.unknown()),
        variable: z.array(z.object({ key: z.string(), value: z.string() })),
      })
      .parse(JSON.parse(await readFile(file, "utf8")));
    const items = requestsIn(collection.item);
    expect(items.map(({ name }) => name).length).toBe(Object.keys(operationsOf(api.document)).length);
    const { baseUrl } = z.object({ baseUrl: z.string() }).parse(JSON.parse(settings));
    expect(collection.variable).toContainEqual(expect.objectContaining({ key: "baseUrl", value: baseUrl }));
    const ping = items.find(({ request }) => request.url.path.join("/") === "ping");
    expect(ping?.request).toMatchObject({ method: "GET", url: { host: ["{{baseUrl}}"] } });
  },
  TOOL_MS_MAX,
);

/** A collection has folders in folders. */
function requestsIn(items: readonly unknown[]): readonly Item[] {
  return items.flatMap((item) => {
    const folder = z.object({ item: z.array(z.unknown()) }).safeParse(item);
    return folder.success ? requestsIn(folder.data.item) : [itemSchema.parse(item)];
  });
}

function schemasOf(described: unknown): Readonly<Record<string, unknown>> {
  const document = z.object({ components: z.object({ schemas: z.record(z.string(), z.unknown()) }) });
  return document.parse(described).components.schemas;
}

function operationsOf(described: unknown): Readonly<Record<string, unknown>> {
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(described);
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation]),
    ),
  );
}

test(
  "Waypost's own collection for Postman can be imported, and its requests are answered",
  { timeout: TOOL_MS_MAX },
  async () => {
    const { baseUrl, handle } = z
      .object({ baseUrl: z.string(), handle: z.string() })
      .parse(JSON.parse(settings));
    const file = join(directory, "own.json");
    await writeFile(file, await (await fetch(`${baseUrl}/postman.json`)).text());
    const variables = Object.entries({ api_key: key, handle }).flatMap(([name, value]) => [
      "--env-var",
      `${name}=${value}`,
    ]);
    const report = join(directory, "newman.json");
    const reporter = ["--reporters", "json", "--reporter-json-export", report];
    await tool("newman", "run", file, "--folder", "Messages", ...variables, ...reporter);
    const { run: ran } = newmanSchema.parse(JSON.parse(await readFile(report, "utf8")));
    expect(ran.executions.map(({ item, response }) => [item.name, response.code])).toEqual([
      ["Send a message: A text", 201],
      ["Send a message: An image with a caption", 201],
      ["Send a message: An audio", 201],
      ["Send a message: A video", 201],
      ["Send a message: A document with a file name", 201],
      ["Send a message: A sticker", 201],
      // It names a template that the demo doesn't have.
      ["Send a message: A template by name and language", 422],
      // They name messages that aren't there.
      ["Send a message: A text with buttons, as a quote of an earlier message", 400],
      ["Send a message: A reaction to a message", 400],
      ["Send a message: A place on the map", 201],
      ["Send a message: A contact to save", 201],
      ["List messages and their delivery status, newest first", 200],
      ["Get a message and its delivery status", 404],
      ["Mark an inbound message as read: Only mark it as read", 404],
      ["Mark an inbound message as read: Also show that an answer is being written", 404],
      ["Download the file of an inbound message", 404],
    ]);
  },
);

const newmanSchema = z.object({
  run: z.object({
    executions: z.array(
      z.object({ item: z.object({ name: z.string() }), response: z.object({ code: z.number() }) }),
    ),
  }),
});
