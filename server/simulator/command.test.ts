import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import { createDataDirectory, removeDataDirectory } from "../../e2e/support/data-directory";
import { controlCalls } from "./control";
import { outcomes } from "./outcomes";
import { signatureOf, startReceiver } from "./testing";

/** A directory in which the packed package is installed, as at someone else's. */
let directory: string;
/** Where it makes a directory of its own if it isn't given one. */
let temporary: string;

beforeAll(async () => {
  directory = await createDataDirectory();
  temporary = join(directory, "temporary");
  await mkdir(temporary);
  const npm = (...args: string[]) =>
    execFileSync("npm", args, { cwd: directory, encoding: "utf8", stdio: "pipe" });
  npm("pack", join(process.cwd(), "server/simulator"), "--pack-destination", directory, "--silent");
  const [tarball] = (await readdir(directory)).filter((name) => name.endsWith(".tgz"));
  await writeFile(join(directory, "package.json"), JSON.stringify({ name: "shop", private: true }));
  npm("install", "--offline", "--no-audit", "--no-fund", `./${tarball}`);
});
afterAll(() => removeDataDirectory(directory));

const program = () => join(directory, "node_modules/.bin/waypost-simulator");

function print(...args: string[]) {
  return execFileSync(program(), args, { encoding: "utf8", stdio: "pipe" });
}

interface Printed {
  readonly url: string;
  readonly phone_number_id: string;
  readonly access_token: string;
  readonly app_secret: string;
}

async function start(...args: string[]) {
  const child = spawn(program(), ["--port", "0", "--json", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: temporary },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const printed = await eventually((): Printed => JSON.parse(stdout));
  const stop = async () => {
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    return code as number | null;
  };
  return { printed, stop };
}

const post = (url: string, body: object, token?: string) =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });

const text = { messaging_product: "whatsapp", to: "4915112345678", type: "text", text: { body: "Hello" } };

test("the package has one program, its README and no dependency", async () => {
  const installed = join(directory, "node_modules/waypost-simulator");
  expect((await readdir(installed, { recursive: true })).toSorted()).toEqual([
    "README.md",
    "dist",
    "dist/waypost-simulator.cjs",
    "package.json",
  ]);
  expect(JSON.parse(await readFile(join(installed, "package.json"), "utf8"))).not.toHaveProperty(
    "dependencies",
  );
});

test("started from the package, it takes a message and sends signed callbacks to the given address", async () => {
  const receiver = await startReceiver();
  const { printed, stop } = await start("--callback-url", receiver.url);
  const path = `${printed.url}/v24.0/${printed.phone_number_id}/messages`;
  expect((await post(path, text, printed.access_token)).status).toBe(200);
  expect((await post(path, text, "another")).status).toBe(401);
  await expect
    .poll(() => receiver.statuses().map(({ status }) => status))
    .toEqual(["sent", "delivered", "read"]);
  for (const { raw, signature } of receiver.posts)
    expect(signature).toBe(signatureOf(raw, printed.app_secret));
  expect(await stop()).toBe(0);
  expect(await readdir(temporary)).toEqual([]);
});

test("with a directory it continues at the moved clock, and ids and secrets can be given", async () => {
  const given = ["--data", join(directory, "kept"), "--phone-number-id", "42", "--access-token", "token"];
  const first = await start(...given);
  expect(first.printed).toMatchObject({ phone_number_id: "42", access_token: "token" });
  expect((await post(`${first.printed.url}/clock`, { advance: "12h" })).status).toBe(200);
  expect(await first.stop()).toBe(0);
  const second = await start(...given);
  const clock = await (await fetch(`${second.printed.url}/clock`)).json();
  expect(clock).toMatchObject({ ahead_seconds: 12 * 3600 });
  expect(await second.stop()).toBe(0);
  expect((await stat(join(directory, "kept"))).isDirectory()).toBe(true);
});

test("--list shows every recipient and every call", () => {
  const list = print("--list");
  for (const { suffix, description } of outcomes) {
    expect(list).toContain(description);
    expect(list).toContain(suffix ?? "others");
  }
  for (const { method, path } of controlCalls) expect(list).toContain(`${method} ${path}`);
});

test("--help lists every option of the README", async () => {
  const help = print("--help");
  const readme = await readFile(join(directory, "node_modules/waypost-simulator/README.md"), "utf8");
  const named = [...`${readme}${help}`.matchAll(/(?<=[ `])--[a-z][a-z-]+/g)].map(([option]) => option);
  expect(new Set(named).size).toBeGreaterThan(10);
  for (const option of named) expect(help).toContain(`  ${option} `);
});

test("the line that a start prints sends a message", async () => {
  const child = spawn(program(), ["--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR: temporary },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk));
  const [, url = "", token, body] = await eventually(() => {
    const line = /curl -sS (\S+) \\\n {2}-H 'Authorization: Bearer (\S+)' .* \\\n {2}-d '(.+)'/.exec(stdout);
    if (line === null) throw new Error(`no line yet: ${stdout}`);
    return line;
  });
  expect((await post(url, JSON.parse(body ?? ""), token)).status).toBe(200);
});

test.each([
  { args: ["--port", "70000"], words: "--port" },
  { args: ["--callback-url", "nowhere"], words: "--callback-url" },
  { args: ["--phone-number-id", "x"], words: "--phone-number-id" },
  { args: ["--unknown"], words: "--unknown" },
  { args: ["something"], words: "something" },
])("$args is refused with the reason", ({ args, words }) => {
  expect(() => print(...args)).toThrow(words);
});
