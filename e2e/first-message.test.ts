import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BASE_PATH, openApi } from "@/e2e/support/api";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { httpCall } from "@/e2e/support/http-call";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";

/** The promise on the usual machine; a slower one gets more time. */
const READ_TIMEOUT_MS = 10_000;

let dataDir: string;
/** The first start, from nothing, and the second one on the same data. */
let first: Waypost | undefined;
let second: Waypost | undefined;

beforeAll(async () => void (dataDir = await createDataDirectory()));
afterAll(async () => {
  await first?.stop();
  await second?.stop();
  await removeDataDirectory(dataDir);
});

it("prints a curl line once, whose message is read within ten seconds and kept over a restart", async () => {
  first = await startWaypost({ dataDir, env: { WAYPOST_DRAIN_SECONDS: "1" } });
  const { url, headers, body } = parseCurl(await printedCurl(first));
  expect(url).toBe(`${first.baseUrl}${BASE_PATH}/messages`);
  const sent = await httpCall({ method: "POST", url, headers, body: Buffer.from(body) });
  expect(sent.status).toBe(201);
  const { message_id: id } = JSON.parse(sent.text);
  const key = String(headers.Authorization).replace("Bearer ", "");
  const original = await untilRead(first, key, id);
  const made = await (await openApi(first.baseUrl)).call({ path: "/webhooks", key, json: { url: null } });
  expect(made.status).toBe(201);
  expect(first.output()).not.toContain("No process runs jobs");
  // npm forwards signals, and a terminal signals both processes.
  first.program.kill("SIGTERM");
  expect(await first.stop("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(first.program.stdout().trimEnd().split("\n").at(-1)).toBe("Waypost has stopped.");

  second = await startWaypost({ dataDir, env: { WAYPOST_ROLES: "api" } });
  expect(await untilRead(second, key, id)).toEqual(original);
  expect(second.output()).not.toContain("curl");
  expect(await second.stop("SIGINT")).toEqual({ code: 0, signal: null });
});

it("tells the life of a process in the log: its start, with what it is, the signal, the drain and the end, each with its time", () => {
  const lines = first?.program.stderr().split("\n") ?? [];
  const life = lines
    .filter((line) => line.startsWith("{"))
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ level, part }) => level === "info" && part === undefined);
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
  expect(life).toMatchObject([
    {
      time,
      msg: "Waypost has started",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      role: "all",
      database: "embedded",
      baseUrl: first?.baseUrl,
      pid: first?.pid,
    },
    { time, msg: "Waypost stops", signal: "SIGTERM" },
    { time, msg: "requests are still answered until the drain ends", drainMs: 1_000 },
    { time, msg: "Waypost has stopped", tookMs: expect.any(Number) },
  ]);
});

it("names a misspelt variable and the one that was probably meant", () => {
  expect(second?.program.stderr()).toContain("WAYPOST_ROLES is not a variable of Waypost");
  expect(second?.program.stderr()).toContain("Did you mean WAYPOST_ROLE?");
});

/** Returns the command that the first start prints: a line that starts with `curl`, and its continuation lines. */
async function printedCurl(server: Waypost): Promise<string> {
  const pattern = /^curl .*(?:(?<=\\)\n.*)*$/m;
  const match = await until("the curl line is printed", () => pattern.exec(server.program.stdout()));
  return match[0];
}

/** Returns curl's arguments, as a real shell parses the line; `curl` itself isn't installed everywhere. */
function parseCurl(command: string) {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const { stdout, status, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const request = { url: "", body: "", headers: new Map<string, string>() };
  const args = stdout.split("\0").slice(0, -1);
  for (let arg = args.shift(); arg !== undefined; arg = args.shift()) {
    if (arg === "-H") request.headers.set(...asHeader(args.shift() ?? ""));
    else if (arg === "-d") request.body = args.shift() ?? "";
    else if (!arg.startsWith("-")) request.url = arg;
    else if (arg !== "-sS") throw new Error(`This test doesn't know curl's ${arg}`);
  }
  return { ...request, headers: Object.fromEntries(request.headers) };
}

function asHeader(line: string): [string, string] {
  const [name = "", value = ""] = line.split(": ", 2);
  return [name, value];
}

async function untilRead(server: Waypost, key: string, id: string): Promise<unknown> {
  const api = await openApi(server.baseUrl);
  const read = async () => {
    const { text } = await api.call({ path: `/messages/${id}`, key });
    const message = JSON.parse(text);
    return message.delivery_state === "read" ? message : null;
  };
  return until("the message is read", read, { timeoutMs: READ_TIMEOUT_MS, intervalMs: 50 });
}
