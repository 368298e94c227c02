import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, readlink, realpath, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { REPOSITORY } from "@/e2e/support/program";
import { until } from "@/e2e/support/until";

/**
 * Returns the ids of processes that were started with this temporary directory, or have a working directory below it.
 */
async function processesOf(directory: string): Promise<string[]> {
  const pids = (await readdir("/proc")).filter((entry) => /^\d+$/.test(entry));
  const belongs = async (pid: string) => {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => "");
    return environment.includes(`TMPDIR=${directory}`) || cwd.startsWith(directory);
  };
  const ours = await Promise.all(pids.map(belongs));
  return pids.filter((_, index) => ours[index]);
}

async function commandsOf(directory: string): Promise<string[]> {
  const pids = await processesOf(directory);
  const commands = pids.map((pid) => readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => ""));
  // One that ends between the two reads has none.
  return (await Promise.all(commands)).flatMap((command) =>
    command === "" ? [] : command.replaceAll("\0", " "),
  );
}

async function startRun(program: string, args: readonly string[]) {
  // Short, because sockets are created below it.
  const directory = await mkdtemp(path.join(await realpath(tmpdir()), "wi-"));
  await chmod(directory, 0o711);
  const env = { ...process.env, TMPDIR: directory, VITEST: "" };
  const run = spawn(process.execPath, [program, ...args], {
    cwd: REPOSITORY,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [run.stdout, run.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => void (said += text));
  }
  onTestFinished(async () => {
    for (const pid of await processesOf(directory)) process.kill(Number(pid), "SIGKILL");
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  return { run, directory, said: () => said };
}

/** It bundles itself, creates its database and starts a server, beside other tests. */
const START_TIMEOUT_MS = 240_000;

const isPostgres = (command: string) => /postgres( |:)/.test(command);
const isServer = (command: string) => command.includes("server/start.mjs");

const CRASH = { name: "the crash test", program: "e2e/crash/start.mjs", args: ["--rounds", "1"] };
const BENCH = {
  name: "the bench",
  program: "e2e/bench/start.mjs",
  args: ["--only", "postgres-alone,post-new", "--seconds", "60"],
};
const GROWTH = {
  name: "the bench of growth",
  program: "e2e/bench/start.mjs",
  args: ["--growth", "--sizes", "1000000"],
};

test.each([
  { ...CRASH, signal: "SIGINT" },
  { ...CRASH, signal: "SIGTERM" },
  { ...CRASH, signal: "SIGHUP" },
  { ...BENCH, signal: "SIGTERM" },
  { ...GROWTH, signal: "SIGINT" },
] as const)(
  "$name that $signal interrupts leaves no PostgreSQL, no server and no file behind",
  async (which) => {
    const { program, args, signal } = which;
    const { run, directory, said } = await startRun(program, args);
    const isGrowth = args.some((arg) => arg === "--growth");
    const isUnderWay = async () => {
      if (run.exitCode !== null) throw new Error(`It ended by itself:\n${said()}`);
      const commands = await commandsOf(directory);
      return commands.some(isPostgres) && (isGrowth || commands.some(isServer));
    };
    await until("PostgreSQL and a server run", isUnderWay, {
      timeoutMs: START_TIMEOUT_MS,
      intervalMs: 250,
    }).catch((error: unknown) => {
      throw new Error(`It only said:\n${said()}`, { cause: error });
    });
    const ended = once(run, "exit");
    run.kill(signal);
    expect(await ended).toEqual([128 + constants.signals[signal], null]);
    expect(await commandsOf(directory), "processes that are left").toEqual([]);
    expect(await readdir(directory)).toEqual([]);
  },
);
