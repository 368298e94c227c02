import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@/e2e/support/free-port";
import { until } from "@/e2e/support/until";

/** A real Inngest server: our own, or an external one. */
export interface InngestServer {
  readonly url: string;
  readonly eventKey: string;
  readonly signingKey: string;
  /** `kill -9`; null for an external server. */
  readonly kill9: (() => Promise<void>) | null;
  /** Restarts it on the same port and data. */
  start(): Promise<void>;
  /** The pid, for its resident memory; null for an external server. */
  readonly pid: () => number | null;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const PROBE_TIMEOUT_MS = 1_000;
const OUTPUT_CHARACTERS_MAX = 20_000;

const running = new Set<ChildProcess>();
// A worker that ends before its tests leaves no server behind.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/**
 * Opens the server named by the environment: `INNGEST_BIN`, a binary to start, or `INNGEST_BASE_URL` with
 * `INNGEST_EVENT_KEY` and `INNGEST_SIGNING_KEY`.
 * @throws Error if it names none.
 */
export async function openInngestServer(env: NodeJS.ProcessEnv = process.env): Promise<InngestServer> {
  if (env.INNGEST_BIN) return startBinary(env.INNGEST_BIN);
  const { INNGEST_BASE_URL: url, INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signingKey } = env;
  if (!url || !eventKey || !signingKey) throw new Error("The environment names no Inngest server");
  const nothing = async () => undefined;
  return { url, eventKey, signingKey, kill9: null, start: nothing, pid: () => null, stop: nothing };
}

async function startBinary(binary: string): Promise<InngestServer> {
  const directory = await mkdtemp(path.join(tmpdir(), "waypost-inngest-"));
  const port = await freePort();
  const [connect, gateway, executor] = [await freePort(), await freePort(), await freePort()];
  const eventKey = "00aa11bb22cc33dd";
  const signingKey = "00112233445566778899aabbccddeeff";
  const options = {
    host: "127.0.0.1",
    port,
    "signing-key": signingKey,
    "event-key": eventKey,
    "sqlite-dir": directory,
    "connect-gateway-port": connect,
    "connect-gateway-grpc-port": gateway,
    "connect-executor-grpc-port": executor,
  };
  const args = [
    "start",
    "--no-ui",
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]),
  ];
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    child = spawn(binary, args, { cwd: directory, stdio: ["ignore", "pipe", "pipe"] });
    const started = child;
    running.add(started);
    started.once("exit", () => running.delete(started));
    await untilHealthy(child, url);
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }

  await start();
  return {
    url,
    eventKey,
    signingKey,
    start,
    kill9: () => end("SIGKILL"),
    pid: () => child?.pid ?? null,
    async stop() {
      await end("SIGKILL");
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function untilHealthy(child: ChildProcess, url: string): Promise<void> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS_MAX);
    });
  }
  const isHealthy = async () => {
    if (child.exitCode !== null) throw new Error(`The Inngest server ended.\n${output}`);
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(
      () => null,
    );
    await answer?.arrayBuffer();
    return answer?.ok;
  };
  await until("the Inngest server answers", isHealthy, { timeoutMs: START_TIMEOUT_MS });
}
