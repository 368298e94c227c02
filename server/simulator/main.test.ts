import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createServer } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { eventually } from "../../e2e/support/eventually";
import {
  ledgerOf,
  numberFor,
  owedTotal,
  putNumbers,
  send,
  startReceiver,
  statusOf,
  temporaryDirectory,
  textMessage,
} from "./testing";

const to = "4915112345678";
let programDirectory = "";
let program = "";

beforeAll(async () => {
  programDirectory = await mkdtemp(join(tmpdir(), "waypost-simulator-program-"));
  program = join(programDirectory, "simulator.cjs");
  await build({
    stdin: {
      contents: `import { main } from "@/server/simulator/main";
        void main({ appRoot: process.cwd(), distDir: "", argv: process.argv.slice(2) });`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile: program,
    logLevel: "silent",
  });
});

afterAll(() => rm(programDirectory, { recursive: true, force: true }));

interface Run {
  readonly child: ChildProcess;
  readonly exit: Promise<number | null>;
  stdout(): string;
  stderr(): string;
  /** The printed URL, in the form that the helpers need. */
  ready(): Promise<{ url: string; stop(): Promise<void> }>;
}

async function run(env: Record<string, string>, args: string[] = []): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], {
    env: { NODE_ENV: "test", PATH: process.env.PATH, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk: Buffer) => (stderr += String(chunk)));
  const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  const ready = () =>
    eventually(() => {
      const url = /^WhatsApp simulator: (http:\S+)\n$/.exec(stdout)?.[1];
      if (url === undefined) throw new Error(`not ready: ${stdout}${stderr}`);
      return { url, stop: async () => undefined };
    });
  return { child, exit, stdout: () => stdout, stderr: () => stderr, ready };
}

test("every answered message is in the file when the process is killed right after the answer", async () => {
  const directory = await temporaryDirectory();
  const receiver = await startReceiver();
  const env = { WAYPOST_SIMULATOR_PORT: "0", WAYPOST_DATA_DIR: directory };
  const first = await run(env);
  const simulator = await first.ready();
  await putNumbers(simulator, [numberFor(receiver.url)]);
  receiver.close();

  const answered: string[] = [];
  const senders = Array.from({ length: 50 }, async (_, sender) => {
    for (let index = 0; ; index += 1) {
      const data = `${sender}-${index}`;
      if ((await send(simulator, textMessage(to, data))).status !== 200) return;
      answered.push(data);
      if (answered.length === 300) first.child.kill("SIGKILL");
    }
  });
  await Promise.all(senders);
  await first.exit;

  const lines = (await readFile(join(directory, "simulator", "ledger.jsonl"), "utf8")).split("\n");
  for (const data of answered) expect(lines.filter((line) => line.includes(`"${data}"`))).toHaveLength(1);

  const { port } = new URL(receiver.url);
  const reopened = await startReceiver(Number(port));
  const second = await (await run(env)).ready();
  await eventually(async () => expect(await owedTotal(second)).toBe(0));
  const { messages } = await ledgerOf(second);
  expect(messages.length).toBeGreaterThanOrEqual(answered.length);
  for (const { wamid } of messages) {
    expect(reopened.statuses(wamid).map(({ status }) => status)).toEqual(["sent", "delivered", "read"]);
  }
});

test.each(["SIGTERM", "SIGINT"] as const)(
  "%s ends it with 0, also where npm passes it on once more, and its URL stands once on stdout",
  async (signal) => {
    const { child, exit, ready, stdout } = await run({
      WAYPOST_SIMULATOR_PORT: "0",
      WAYPOST_DATA_DIR: await temporaryDirectory(),
    });
    const { url } = await ready();
    child.kill(signal);
    child.kill(signal);
    expect(await exit).toBe(0);
    expect(stdout()).toBe(`WhatsApp simulator: ${url}\n`);
  },
);

test("the host of WAYPOST_SIMULATOR_URL is answered beside loopback ones, and no other", async () => {
  const { ready } = await run({
    WAYPOST_SIMULATOR_PORT: "0",
    WAYPOST_SIMULATOR_URL: "https://simulator.internal:8443/",
    WAYPOST_DATA_DIR: await temporaryDirectory(),
  });
  const { url } = await ready();
  const statuses = await Promise.all(
    ["simulator.internal:8443", "127.0.0.1", "evil.example"].map((host) =>
      statusOf(url, "GET", "/ledger", { host }),
    ),
  );
  expect(statuses).toEqual([200, 200, 403]);
});

test("names every wrong setting and ends with 1", async () => {
  const { exit, stderr, stdout } = await run({ WAYPOST_SIMULATOR_PORT: "70000" }, ["--fast"]);
  expect(await exit).toBe(1);
  expect(stderr()).toMatch(/WAYPOST_SIMULATOR_PORT: expected a port from 0 to 65535, got "70000"/);
  expect(stderr()).toMatch(/takes no arguments/);
  expect(stdout()).toBe("");
});

test.each(["--help", "-h"])(
  "%s says which variables it reads, starts nothing and ends with 0",
  async (wish) => {
    const { exit, stderr, stdout } = await run({ WAYPOST_SIMULATOR_PORT: "70000" }, [wish]);
    expect({ code: await exit, stderr: stderr() }).toEqual({ code: 0, stderr: "" });
    expect(stdout()).toMatch(/^Usage: npm run simulator\n/);
    expect(stdout()).toMatch(/WAYPOST_SIMULATOR_PORT .*3001 when not given/);
    expect(stdout()).toMatch(/WAYPOST_DATA_DIR/);
  },
);

test("a port in use and a data directory that is a file are named", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const address = taken.address();
  const port = address !== null && typeof address === "object" ? String(address.port) : "";
  const onTaken = await run({ WAYPOST_SIMULATOR_PORT: port, WAYPOST_DATA_DIR: await temporaryDirectory() });
  expect(await onTaken.exit).toBe(1);
  expect(onTaken.stderr()).toBe(`WAYPOST_SIMULATOR_PORT: port ${port} is in use\n`);

  const onFile = await run({ WAYPOST_SIMULATOR_PORT: "0", WAYPOST_DATA_DIR: program });
  expect(await onFile.exit).toBe(1);
  expect(onFile.stderr()).toMatch(/^WAYPOST_DATA_DIR: .* can't be used/);
});
