import { createServer, type ServerResponse } from "node:http";
import { inject } from "vitest";
import type { TestProject } from "vitest/node";
import { Agent, fetch } from "undici";
import { z } from "zod";
import { freePort } from "./free-port";
import { limitMs } from "./machine-speed";
import { attachWaypost, startWaypost, type WaypostAddress } from "./waypost";
import { closeServer, listen } from "@/server/edge/http/listen";
import { startMeta } from "./meta";

/** Maximum test files with a receiver of webhooks. */
const RECEIVERS_MAX = 6;
/** A start may have to build first. Less than a hook's limit, so that the error says what it waited for. */
const START_TIMEOUT_MS = limitMs(280_000);
/** Its own limit would be five minutes, on any machine. */
const dispatcher = new Agent({ headersTimeout: 0 });

declare module "vitest" {
  export interface ProvidedContext {
    sharedServerUrl: string;
  }
}

/** The server that most files share. Each file works within its own organization. */
export interface SharedServer extends WaypostAddress {
  /** The simulator in place of Meta, for numbers that tests connect. */
  readonly metaUrl: string;
  /** A second process on its database; it serves the public API through Next. */
  secondProcess(): Promise<WaypostAddress>;
  /** A loopback port that webhooks may be sent to, reserved for the caller. */
  receiverPort(): Promise<number>;
  /** Standard output and standard error of both processes so far, for all files' requests. */
  output(): Promise<string>;
}

/** Returns the shared server's address to a worker. The first call starts the server. */
export async function askSharedServer(): Promise<SharedServer> {
  const url = inject("sharedServerUrl");
  const ask = async (path: string) => {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(START_TIMEOUT_MS), dispatcher });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`The server that files share didn't start.\n${text}`);
    return text;
  };
  const address = sharedSchema.parse(JSON.parse(await ask("/address")));
  return {
    ...address,
    secondProcess: async () => addressSchema.parse(JSON.parse(await ask("/second-process"))),
    receiverPort: async () => Number(await ask("/receiver-port")),
    output: () => ask("/output"),
  };
}

const addressSchema = z.object({
  baseUrl: z.url(),
  simulatorUrl: z.url(),
  dataDir: z.string(),
  env: z.record(z.string(), z.string()),
});
const sharedSchema = addressSchema.extend({ metaUrl: z.url() });

/** vitest's global setup: tells workers how to reach the shared server, and returns a function that stops it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let started: ReturnType<typeof start> | undefined;
  let second: ReturnType<typeof startSecond> | undefined;
  const answer = async (path: string | undefined, response: ServerResponse) => {
    const { meta, waypost, receiverPorts } = await (started ??= start());
    if (path === "/output") return response.end(waypost.output() + ((await second)?.output() ?? ""));
    if (path === "/receiver-port") {
      const port = receiverPorts.pop();
      if (port === undefined) throw new Error("No port for another receiver is left: see RECEIVERS_MAX");
      return response.end(String(port));
    }
    if (path === "/second-process")
      return response.end(JSON.stringify(addressOf(await (second ??= startSecond(waypost)))));
    return response.end(JSON.stringify({ ...addressOf(waypost), metaUrl: meta.url }));
  };
  const server = createServer((request, response) => {
    answer(request.url, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  project.provide("sharedServerUrl", `http://127.0.0.1:${await listen(server, 0, "127.0.0.1")}`);
  return async () => {
    await closeServer(server);
    // A failed start was already reported to the caller.
    await (await second?.catch(() => undefined))?.stop();
    const running = await started?.catch(() => undefined);
    await running?.waypost.stop();
    await running?.meta.stop();
  };
}

async function start() {
  const meta = await startMeta();
  try {
    const receiverPorts: number[] = [];
    while (receiverPorts.length < RECEIVERS_MAX) receiverPorts.push(await freePort());
    const env = {
      WAYPOST_GRAPH_URL: meta.url,
      ALLOWED_PRIVATE_HOSTS: receiverPorts.map((port) => `127.0.0.1:${port}`).join(","),
    };
    return { meta, receiverPorts, waypost: await startWaypost({ env }) };
  } catch (error) {
    await meta.stop();
    throw error;
  }
}

function startSecond(owner: WaypostAddress) {
  return attachWaypost(owner, { WAYPOST_ROLE: "api", WAYPOST_PUBLIC_API_MOUNT: "next" });
}

function addressOf({ baseUrl, simulatorUrl, dataDir, env }: WaypostAddress): WaypostAddress {
  return { baseUrl, simulatorUrl, dataDir, env };
}
