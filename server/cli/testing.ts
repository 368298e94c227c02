import { build } from "esbuild";
import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { TEST_SECRET } from "../organizations/testing";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Cli {
  /** Runs a command to its end. */
  run(args: readonly string[], env: Record<string, string>): Promise<Finished>;
  /** Starts a command and leaves it running. */
  start(args: readonly string[], env: Record<string, string>): Running;
  remove(): Promise<void>;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly finished: Promise<Finished>;
}

/** The commands as a process of their own, bundled from the source as `npm run waypost` bundles them. */
export async function bundleCli(): Promise<Cli> {
  const appRoot = process.cwd();
  // Below node_modules, so that the bundle finds its packages.
  const parent = path.join(appRoot, "node_modules", ".cache");
  await mkdir(parent, { recursive: true });
  const directory = await mkdtemp(path.join(parent, "waypost-cli-test-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  const bundle = path.join(directory, "cli.mjs");
  await build({
    entryPoints: [path.join(appRoot, "server", "cli", "main.ts")],
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

  const start = (args: readonly string[], env: Record<string, string>): Running => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", script, "--", ...args], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, NODE_ENV: "test", ...env },
    });
    return { child, finished: collect(child) };
  };
  const run = (args: readonly string[], env: Record<string, string>) => {
    const { child, finished } = start(args, env);
    child.stdin.end();
    return finished;
  };
  return { run, start, remove };
}

/** Commands over a database, with a data directory of their own. */
export interface CliWorld {
  readonly cli: Cli;
  readonly directory: string;
  /** The variables that `waypost` is run with. */
  readonly surroundings: Readonly<Record<string, string>>;
  /** Runs a command over the database to its end. */
  waypost(...args: readonly string[]): Promise<Finished>;
  close(): Promise<void>;
}

/** @param env variables besides those of the database and the data directory. */
export async function openCli(databaseUrl: string, env: Record<string, string> = {}): Promise<CliWorld> {
  const cli = await bundleCli();
  const directory = await mkdtemp(path.join(tmpdir(), "waypost-cli-"));
  const surroundings = {
    DATABASE_URL: databaseUrl,
    WAYPOST_SECRET: TEST_SECRET,
    WAYPOST_DATA_DIR: directory,
    PORT: "4321",
    ...env,
  };
  return {
    cli,
    directory,
    surroundings,
    waypost: (...args) => cli.run(args, surroundings),
    async close() {
      await cli.remove();
      await rm(directory, { recursive: true });
    },
  };
}

async function collect(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  const text = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (text.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (text.stderr += chunk.toString()));
  await once(child, "close");
  return { code: child.exitCode, ...text };
}
