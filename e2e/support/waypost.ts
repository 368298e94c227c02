import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createDataDirectory, removeDataDirectory } from "./data-directory";
import { freePort } from "./free-port";
import { limitMs } from "./machine-speed";
import { type Ending, type Environment, type Program, type ProgramOptions, startProgram } from "./program";
import { until } from "./until";

/** A start may have to build first, after another one's build. */
const READY_TIMEOUT_MS = 240_000;
/** The program promises 30 s; a slow machine gets more. */
const STOP_TIMEOUT_MS = limitMs(32_000);
const PROBE_TIMEOUT_MS = limitMs(2_000);

/** The address of a running server. */
export interface WaypostAddress {
  readonly baseUrl: string;
  readonly simulatorUrl: string;
  readonly dataDir: string;
  /** The variables that a command needs to find this server. */
  readonly env: Environment;
}

/** A running server. */
export interface Waypost extends WaypostAddress {
  readonly pid: number;
  /** Standard output and standard error so far. */
  readonly output: () => string;
  readonly program: Program;
  /** Sends SIGTERM, or the given signal; returns how it ended. Removes the data directory if it created that. */
  stop(signal?: NodeJS.Signals): Promise<Ending>;
  /** `kill -9` of this process alone. The data directory stays. */
  kill9(): Promise<void>;
}

export interface StartOptions extends ProgramOptions {
  readonly env?: Environment;
  /** Kept at the end; without one the server gets a new one, which `stop` removes. */
  readonly dataDir?: string;
}

/** Starts the real program, like `npm start`, on a free port, and waits until it is ready. */
export async function startWaypost({ env = {}, dataDir, ...options }: StartOptions = {}): Promise<Waypost> {
  const directory = dataDir ?? (await createDataDirectory());
  const cleanUp = dataDir === undefined ? () => removeDataDirectory(directory) : undefined;
  return start({ ...env, WAYPOST_DATA_DIR: directory }, directory, cleanUp, options);
}

/**
 * Starts a further process on the database of `owner` (`WAYPOST_ATTACH`), which stops without a drain, because no proxy
 * has to notice. Stop it before the owner.
 */
export function attachWaypost(owner: WaypostAddress, env: Environment = {}): Promise<Waypost> {
  const attached = { WAYPOST_DRAIN_SECONDS: "0", ...env, WAYPOST_ATTACH: owner.dataDir };
  return start(attached, owner.dataDir, undefined);
}

/** Starts a process on the database and the simulator in `env`; without a drain unless `env` sets one. */
export function startOnDatabase(
  env: Environment & { readonly DATABASE_URL: string; readonly WAYPOST_SIMULATOR_URL: string },
  dataDir: string,
): Promise<Waypost> {
  return start({ WAYPOST_DRAIN_SECONDS: "0", ...env, WAYPOST_DATA_DIR: dataDir }, dataDir, undefined);
}

async function start(
  env: Environment,
  dataDir: string,
  cleanUp: (() => Promise<void>) | undefined,
  options: ProgramOptions = {},
): Promise<Waypost> {
  const port = env.PORT ?? String(await freePort());
  const program = startProgram(["server"], { HOST: "127.0.0.1", PORT: port, ...env }, options);
  const output = () => program.stdout() + program.stderr();
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    await untilReady(program, baseUrl);
    const ownerPid = env.WAYPOST_ATTACH === undefined ? program.pid : null;
    const simulatorUrl =
      env.DATABASE_URL === undefined
        ? await until("run.json names the simulator", () => simulatorOf(dataDir, ownerPid))
        : (env.WAYPOST_SIMULATOR_URL ?? "");
    const kill9 = async () => {
      program.kill("SIGKILL");
      await program.ended;
    };
    const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
      const ending = await end(program, signal);
      await cleanUp?.();
      return ending;
    };
    return {
      baseUrl,
      simulatorUrl,
      pid: program.pid,
      dataDir,
      env: { PORT: port, ...env },
      output,
      program,
      stop,
      kill9,
    };
  } catch (error) {
    program.kill("SIGKILL");
    await program.ended.catch(() => undefined);
    await cleanUp?.();
    throw new Error(`The server didn't start.\n${output()}`, { cause: error });
  }
}

async function untilReady(program: Program, baseUrl: string): Promise<void> {
  const isReady = async () => {
    if (!program.isRunning()) throw new Error("The server ended before it was ready");
    try {
      const response = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
      await response.arrayBuffer();
      return response.status === 200;
    } catch {
      return false;
    }
  };
  await until("the server is ready", isReady, { timeoutMs: READY_TIMEOUT_MS });
}

/** @throws Error if it doesn't end in time; it is killed then. */
async function end(program: Program, signal: NodeJS.Signals): Promise<Ending> {
  if (!program.isRunning()) return program.ended;
  program.kill(signal);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    program.kill("SIGKILL");
  }, STOP_TIMEOUT_MS);
  const ending = await program.ended;
  clearTimeout(timer);
  if (isLate) throw new Error(`The server didn't end in ${STOP_TIMEOUT_MS / 1000} s.\n${program.stderr()}`);
  return ending;
}

const runFileSchema = z.object({ pid: z.number(), simulator_url: z.string().nullable() });

/** Null while the owner hasn't written it; a server accepts requests a moment before that. */
async function simulatorOf(dataDir: string, ownerPid: number | null): Promise<string | null> {
  const text = await readFile(join(dataDir, "run.json"), "utf8").catch(() => null);
  if (text === null) return null;
  const run = runFileSchema.parse(JSON.parse(text));
  return ownerPid === null || run.pid === ownerPid ? run.simulator_url : null;
}
