import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";

const REPOSITORY = resolve(import.meta.dirname, "../..");

/** Prints its arguments, then the text of the checkout's app. Keeps running if requested. */
const PROGRAM = `
import { word } from "@/server/word";
export async function main(options) {
  if (options.argv.includes("tidy")) process.once("SIGTERM", () => { console.log("tidied"); process.exit(0); });
  console.log(JSON.stringify({ word, ...options, pid: process.pid, nodeEnv: process.env.NODE_ENV, next: process.env.WAYPOST_NEXT_DIST_DIR }));
  if (options.argv.includes("throw")) throw new RangeError("the program failed");
  if (options.argv.includes("exit-3")) process.exit(3);
  if (options.argv.includes("stay")) setInterval(() => {}, 1000);
}
`;

/** Replaces Next: writes one log line per build, and waits while the file `hold` exists. */
const NEXT = `
const fs = require("node:fs"), path = require("node:path");
const out = path.join(process.cwd(), process.env.WAYPOST_NEXT_DIST_DIR);
fs.appendFileSync("next-builds.log", process.pid + "\\n");
(function finish() {
  if (fs.existsSync("hold")) return setTimeout(finish, 10);
  if (fs.existsSync("app/broken")) { console.error("app/broken: does not compile"); process.exit(1); }
  fs.writeFileSync(path.join(out, "BUILD_ID"), "stand-in");
  process.exit(0);
})();
`;

export interface Checkout {
  readonly root: string;
  /** Starts `node server/start.mjs …` in the checkout. */
  start(args: string[], options?: { nodeOptions?: string[] }): Started;
  /** Starts `npm …` in the checkout, which has the scripts of this one. */
  npm(args: string[]): Started;
  write(path: string, content: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Starts `node server/start.mjs …`, and waits for its end. */
  run(...args: string[]): Started["ended"];
  /** Names of the stored builds. */
  builds(): string[];
  /** Process numbers of all `next build`s that were ever started here. */
  nextBuilds(): number[];
  dispose(): Promise<void>;
}

export interface Started {
  readonly process: ChildProcessByStdio<null, Readable, Readable>;
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly ended: Promise<{
    code: number | null;
    signal: NodeJS.Signals | null;
    stdout: string;
    stderr: string;
  }>;
}

/** Creates a small checkout with the real starter and bundler, three tiny programs, and a replacement for Next. */
export async function createCheckout(): Promise<Checkout> {
  const root = await mkdtemp(join(tmpdir(), "waypost-start-"));
  const running = new Set<Started["process"]>();
  const started = (command: string, args: string[]) => {
    const one = startProcess(root, command, args);
    running.add(one.process);
    return one;
  };
  const write = async (path: string, content: string) => {
    await mkdir(join(root, path, ".."), { recursive: true });
    await writeFile(join(root, path), content);
  };
  await cp(join(REPOSITORY, "server/start.mjs"), join(root, "server/start.mjs"));
  await cp(join(REPOSITORY, "server/build"), join(root, "server/build"), { recursive: true });
  for (const program of ["main", "ops/cli/main", "simulator/main"]) {
    await write(`server/${program}.ts`, PROGRAM);
  }
  await write("server/word.ts", `export const word: string = "first";`);
  await write("app/page.tsx", "export default () => null;");
  await write("next.config.js", "export default {};");
  const { scripts } = JSON.parse(await readFile(join(REPOSITORY, "package.json"), "utf8"));
  const manifest = { type: "module", scripts, dependencies: { next: "1.0.0" } };
  await write("package.json", JSON.stringify(manifest));
  await write("package-lock.json", `{ "packages": { "node_modules/next": { "version": "1.0.0" } } }`);
  await write("node_modules/next/package.json", `{ "version": "1.0.0" }`);
  await write("node_modules/next/dist/bin/next", NEXT);
  await symlink(join(REPOSITORY, "node_modules/esbuild"), join(root, "node_modules/esbuild"), "dir");

  const start: Checkout["start"] = (args, { nodeOptions = [] } = {}) =>
    started(process.execPath, [...nodeOptions, "server/start.mjs", ...args]);
  return {
    root,
    write,
    remove: (path) => rm(join(root, path), { recursive: true, force: true }),
    start,
    run: (...args) => start(args).ended,
    builds: () => readdirSync(join(root, "dist")).filter((name) => name !== "dev"),
    npm: (args) => started("npm", args),
    nextBuilds() {
      const log = join(root, "next-builds.log");
      return existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").map(Number) : [];
    },
    async dispose() {
      for (const child of running) child.kill("SIGKILL");
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

function startProcess(cwd: string, command: string, args: string[]): Started {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return {
    process: child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended: new Promise((done, fail) => {
      child.once("error", fail);
      child.once("close", (code, signal) => done({ code, signal, stdout, stderr }));
    }),
  };
}

/** Process numbers of the servers that have run in it. */
export function serverPids({ stdout }: Started): number[] {
  return [...stdout().matchAll(/"pid":(\d+)/g)].map(([, pid]) => Number(pid));
}
