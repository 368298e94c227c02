import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

const BUILD_MS_MAX = 180_000;
const START_MS_MAX = 30_000;

/** Builds the empty Next app and runs it like `next start`, in production mode on a free port. */
export async function startEmptyNext(
  appRoot: string,
): Promise<{ readonly url: string; readonly pid: number; stop(): Promise<void> }> {
  const directory = join(appRoot, "e2e/bench/empty-next");
  await build(appRoot, directory);
  const server = spawnNext(appRoot, ["start", directory, "--port", "0", "--hostname", "127.0.0.1"]);
  const stop = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGTERM");
    await once(server, "exit");
  };
  try {
    return { url: `${await addressOf(server)}/empty`, pid: server.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function build(appRoot: string, directory: string): Promise<void> {
  const process = spawnNext(appRoot, ["build", directory], BUILD_MS_MAX);
  const output = collect(process);
  const [code] = await once(process, "exit");
  if (code !== 0) throw new Error(`The empty Next app could not be built:\n${output()}`);
}

function spawnNext(appRoot: string, args: readonly string[], timeoutMs?: number) {
  const child = spawn(process.execPath, [join(appRoot, "node_modules/next/dist/bin/next"), ...args], {
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
  const end = () => void child.kill("SIGTERM");
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
  return child;
}

function collect({ stdout, stderr }: Pick<ChildProcess, "stdout" | "stderr">): () => string {
  let text = "";
  for (const stream of [stdout, stderr])
    stream?.setEncoding("utf8").on("data", (part: string) => (text += part));
  return () => text;
}

/** Next prints its URL when it is ready. */
function addressOf(server: ChildProcess): Promise<string> {
  const output = collect(server);
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error(`The empty Next app did not start:\n${output()}`));
    const timer = setTimeout(fail, START_MS_MAX);
    server.once("exit", fail);
    server.stdout?.on("data", () => {
      const address = /Local:\s+(http:\/\/[^\s]+)[\s\S]*Ready in/.exec(output())?.[1];
      if (address === undefined) return;
      clearTimeout(timer);
      server.off("exit", fail);
      resolve(address);
    });
  });
}
