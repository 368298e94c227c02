import { build } from "esbuild";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { isDataDirectoryOwned, readRunFile } from "@/db/embedded";
import { type Finished, runCommand, type Running } from "@/e2e/support/command";
import { TEST_SECRET } from "@/server/domain/organizations/testing";

/** The commands as separate processes. */
export interface CommandProcesses {
  /** Runs a command until it ends. */
  run(args: readonly string[], env: Record<string, string>): Promise<Finished>;
  /** Starts a command and keeps it running. */
  start(args: readonly string[], env: Record<string, string>): RunningProcess;
  remove(): Promise<void>;
}

export interface RunningProcess extends Running {
  readonly child: ChildProcessWithoutNullStreams;
}

/** Bundles the commands from the source, as `npm run waypost` does, for tests of the process itself. */
export async function bundleCommands(): Promise<CommandProcesses> {
  const appRoot = process.cwd();
  // Below node_modules, so that the bundle finds its packages.
  const parent = path.join(appRoot, "node_modules", ".cache");
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(path.join(parent, "waypost-cli-test-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  const bundle = path.join(directory, "cli.mjs");
  await build({
    entryPoints: [path.join(appRoot, "server", "ops", "cli", "main.ts")],
    outfile: bundle,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    alias: { "@": appRoot },
    logLevel: "silent",
  }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const options = { appRoot, distDir: directory };
  const script = `
    const { main } = await import(${JSON.stringify(pathToFileURL(bundle).href)});
    await main({ ...${JSON.stringify(options)}, argv: process.argv.slice(1) });`;

  const start = (args: readonly string[], env: Record<string, string>): RunningProcess => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script, "--", ...args], {
      cwd: directory,
      // The notes of listeners are in TMPDIR, also those of commands within this process.
      env: { PATH: process.env.PATH, HOME: directory, TMPDIR: tmpdir(), NODE_ENV: "test", ...env },
    });
    return runningProcess(child);
  };
  const run = (args: readonly string[], env: Record<string, string>) => {
    const { child, finished } = start(args, env);
    child.stdin.end();
    return finished;
  };
  return { run, start, remove };
}

/** Commands over a database, with their own data directory. */
export interface CommandWorld {
  readonly directory: string;
  /** Environment variables of the commands. */
  readonly surroundings: Readonly<Record<string, string>>;
  /** Runs a command over the database until it ends. */
  waypost(...args: readonly string[]): Promise<Finished>;
  close(): Promise<void>;
}

/** @param env variables in addition to those of the database and the data directory. */
export async function openCommands(
  databaseUrl: string,
  env: Record<string, string> = {},
): Promise<CommandWorld> {
  const directory = await mkdtemp(path.join(tmpdir(), "waypost-cli-"));
  const surroundings = {
    DATABASE_URL: databaseUrl,
    WAYPOST_SECRET: TEST_SECRET,
    WAYPOST_DATA_DIR: directory,
    PORT: "4321",
    ...env,
  };
  return {
    directory,
    surroundings,
    waypost: (...args) => runCommand(args, surroundings),
    close: () => rm(directory, { recursive: true }),
  };
}

function runningProcess(child: ChildProcessWithoutNullStreams): RunningProcess {
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()));
  return {
    child,
    finished: once(child, "close").then(() => ({ code: child.exitCode, ...text })),
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    interrupt: () => void child.kill("SIGINT"),
  };
}

/** A command that waits for its standard input, with the database open. */
export function waitsForInput(organizationId: string): string[] {
  const number = "--name X --phone-number-id 1 --waba-id 1 --display-phone-number +15550100";
  return `channel connect --org ${organizationId} ${number} --credentials -`.split(" ");
}

/** Expects that a command has left neither an owner nor a PostgreSQL running. */
export async function expectNothingRuns(dataDir: string): Promise<void> {
  expect(await isDataDirectoryOwned(dataDir)).toBe(false);
  expect(await readRunFile(dataDir)).toBeNull();
  expect(await readdir(path.join(dataDir, "postgres"))).not.toContain("postmaster.pid");
}
