import { isAbsolute, join, resolve } from "node:path";
import { pino } from "pino";
import { SimulatorDirectoryInUse } from "./directory-lock";
import { startSimulator, type Simulator } from "./start";

const portDefault = 3001;

const HELP = `Usage: npm run simulator

Runs the simulated WhatsApp by itself until Ctrl-C or SIGTERM, and prints its address. It takes no arguments.
Give the address to Waypost as WAYPOST_SIMULATOR_URL before Waypost starts.

Variables:
  WAYPOST_SIMULATOR_PORT  port on the loopback address, ${portDefault} when not given; 0 takes any free one
  WAYPOST_SIMULATOR_URL   the address at which callers reach it, where that isn't a loopback one: a proxy's, say
  WAYPOST_DATA_DIR        keeps what it knows in \`simulator\` below; \`data\` in the checkout when not given

What it answers to which number, and its own calls, are at /docs/simulator of a running Waypost.
`;

const HELP_WISHES = ["--help", "-h", "help"];

/** npm forwards a Ctrl-C that the terminal has already sent: within this time, even under load. */
const ECHO_MAX_MS = 1_000;

/** Entry point of `npm run simulator`. Ends the process when the simulator has ended. */
export async function main(options: { appRoot: string; distDir: string; argv: string[] }): Promise<void> {
  const { appRoot, argv } = options;
  process.exit(await runSimulator({ env: process.env, appRoot, argv }));
}

interface RunOptions {
  /**
   * WAYPOST_SIMULATOR_PORT (default 3001), WAYPOST_SIMULATOR_URL, WAYPOST_DATA_DIR (default `data` below `appRoot`).
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly appRoot: string;
  readonly argv: readonly string[];
}

interface RunSettings {
  readonly port: number;
  readonly directory: string;
  readonly hostNames: readonly string[];
}

/**
 * Runs the simulator as a separate program until SIGTERM or SIGINT. Prints its URL once on stdout, logs to stderr.
 * Resolves to the exit code: 0 after a signal or `--help`, 1 if it can't start, with every reason on stderr.
 */
async function runSimulator(options: RunOptions): Promise<number> {
  if (options.argv.some((argument) => HELP_WISHES.includes(argument))) {
    process.stdout.write(HELP);
    return 0;
  }
  const settings = readSettings(options);
  if (Array.isArray(settings)) return refuse(settings);
  const log = pino({ name: "simulator", base: null }, pino.destination({ dest: 2, sync: true }));
  let simulator: Simulator;
  const signal = nextSignal();
  try {
    simulator = await startSimulator({ ...settings, log });
  } catch (error) {
    return refuse([explain(error, settings)]);
  }
  process.stdout.write(`WhatsApp simulator: ${simulator.url}\n`);
  await signal;
  await simulator.stop();
  return 0;
}

function readSettings({ env, appRoot, argv }: RunOptions): RunSettings | string[] {
  const problems: string[] = [];
  const portText = env.WAYPOST_SIMULATOR_PORT || String(portDefault);
  const port = /^[0-9]{1,5}$/.test(portText) ? Number(portText) : NaN;
  if (!(port <= 65_535))
    problems.push(`WAYPOST_SIMULATOR_PORT: expected a port from 0 to 65535, got "${portText}"`);
  const url = env.WAYPOST_SIMULATOR_URL || null;
  if (url !== null && !URL.canParse(url)) problems.push("WAYPOST_SIMULATOR_URL: expected an http(s) address");
  const dataDir = env.WAYPOST_DATA_DIR || join(appRoot, "data");
  if (dataDir.includes("\0")) problems.push("WAYPOST_DATA_DIR: expected the path of a directory");
  if (argv.length > 0)
    problems.push(
      `the simulator takes no arguments, got "${argv.join(" ")}"; --help says which variables it reads`,
    );
  if (problems.length > 0) return problems;
  const absolute = isAbsolute(dataDir) ? dataDir : resolve(dataDir);
  const hostNames = url === null ? [] : [new URL(url).hostname];
  return { port, directory: join(absolute, "simulator"), hostNames };
}

function explain(error: unknown, { port, directory }: RunSettings): string {
  if (error instanceof SimulatorDirectoryInUse) return `WAYPOST_DATA_DIR: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : null;
  if (code === "EADDRINUSE") return `WAYPOST_SIMULATOR_PORT: port ${port} is in use`;
  if (code === "EACCES" && "syscall" in error && error.syscall === "listen") {
    return `WAYPOST_SIMULATOR_PORT: no permission to listen on port ${port}`;
  }
  return `WAYPOST_DATA_DIR: ${directory} can't be used: ${error.message}`;
}

function refuse(problems: readonly string[]): number {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return 1;
}

/** Resolves at the first signal. A second one ends the process immediately. */
function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | null = null;
    const take = () => {
      firstAtMs ??= performance.now();
      if (performance.now() - firstAtMs > ECHO_MAX_MS) process.exit(1);
      resolve();
    };
    for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, take);
  });
}
