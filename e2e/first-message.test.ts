import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { BASE_PATH, openApi } from "@/e2e/support/api";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { httpCall } from "@/e2e/support/http-call";
import { until } from "@/e2e/support/until";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";

const READ_TIMEOUT_MS = 10_000;

it("prints a curl line once, whose message is read within ten seconds and kept over a restart", async () => {
  const dataDir = await createDataDirectory();
  let server: Waypost | undefined;
  try {
    server = await startWaypost({ dataDir });
    const { url, headers, body } = parseCurl(await printedCurl(server));
    expect(url).toBe(`${server.baseUrl}${BASE_PATH}/messages`);
    const sent = await httpCall({ method: "POST", url, headers, body: Buffer.from(body) });
    expect(sent.status).toBe(201);
    const { message_id: id } = JSON.parse(sent.text);
    const key = String(headers.Authorization).replace("Bearer ", "");
    const original = await untilRead(server, key, id);
    expect(server.output()).not.toContain("No process runs jobs");
    expect(await server.stop("SIGINT")).toEqual({ code: 0, signal: null });
    expect(server.program.stdout().trimEnd().split("\n").at(-1)).toBe("Waypost has stopped.");

    server = await startWaypost({ dataDir });
    expect(await untilRead(server, key, id)).toEqual(original);
    expect(server.output()).not.toContain("curl");
    expect(await server.stop("SIGTERM")).toEqual({ code: 0, signal: null });
  } finally {
    await server?.stop();
    await removeDataDirectory(dataDir);
  }
});

/** The command that the first start prints: a line that begins with `curl`, and those that it continues on. */
async function printedCurl(server: Waypost): Promise<string> {
  const pattern = /^curl .*(?:(?<=\\)\n.*)*$/m;
  const match = await until("the curl line is printed", () => pattern.exec(server.program.stdout()));
  return match[0];
}

/** What curl is told, as a real shell reads the line; `curl` itself isn't installed everywhere. */
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
