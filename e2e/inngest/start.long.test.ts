import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { postgresProcessesOf } from "@/db/embedded/processes";
import { readClusterState } from "@/db/embedded/state";
import { until } from "@/e2e/support/until";

/** Never responds, and writes its process id to a file. */
const MUTE_SERVER = `#!${process.execPath}
require("node:fs").writeFileSync(process.env.PID_FILE, String(process.pid));
setInterval(() => {}, 1000);
`;

test("a run that is ended by SIGTERM says what it was at, and takes its PostgreSQL and its Inngest server with it", async () => {
  // Short, because sockets are created below it.
  const directory = await mkdtemp(path.join(await realpath(tmpdir()), "wt-"));
  // As root, PostgreSQL runs as a different user, who needs access.
  await chmod(directory, 0o711);
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
  const binary = path.join(directory, "inngest");
  const pidFile = path.join(directory, "pid");
  await writeFile(binary, MUTE_SERVER, { mode: 0o755 });
  const args = ["e2e/inngest/start.mjs", "figures"];
  const env = { ...process.env, TMPDIR: directory, INNGEST_BIN: binary, PID_FILE: pidFile, VITEST: "" };
  const run = spawn(process.execPath, args, { env, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void run.kill("SIGTERM"));
  let said = "";
  for (const stream of [run.stdout, run.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => void (said += text));
  }
  const serverPid = async () => Number(await readFile(pidFile, "utf8").catch(() => "0"));
  await until("the server was started", async () => (await serverPid()) > 0);
  const cluster = await clusterIn(directory);
  expect(await postgresProcessesOf(cluster)).not.toEqual([]);

  const ended = once(run, "exit");
  run.kill("SIGTERM");
  const [code] = await ended;
  expect(code).toBe(143);
  expect(said).toMatch(/takes about \d+ minutes/);
  expect(said).toContain("runs: e2e/inngest/figures.spec.ts");
  const isGone = async () => !isAlive(await serverPid()) && (await postgresProcessesOf(cluster)).length === 0;
  await until("both have ended", isGone);
});

/** The cluster of the run with this temporary directory. */
async function clusterIn(directory: string): Promise<string> {
  const name = (await readdir(directory)).find((entry) => entry.startsWith("waypost-test-run-"));
  if (name === undefined) throw new Error("The run has no PostgreSQL");
  const dataDir = path.join(directory, name);
  return (await readClusterState(dataDir))?.cluster ?? path.join(dataDir, "postgres");
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
