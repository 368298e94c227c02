import { isAbsolute, join, resolve } from "node:path";
import { refuseStart, runSimulator } from "./run";

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

/** Entry point of `npm run simulator`. Ends the process when the simulator has ended. */
export async function main(options: { appRoot: string; distDir: string; argv: string[] }): Promise<void> {
  const { appRoot, argv } = options;
  process.exit(await run({ env: process.env, appRoot, argv }));
}

async function run(options: RunOptions): Promise<number> {
  if (options.argv.some((argument) => HELP_WISHES.includes(argument))) {
    process.stdout.write(HELP);
    return 0;
  }
  const settings = readSettings(options);
  if (Array.isArray(settings)) return refuseStart(settings);
  return runSimulator({
    ...settings,
    settingNames: { port: "WAYPOST_SIMULATOR_PORT", directory: "WAYPOST_DATA_DIR" },
    greeting: ({ url }) => `WhatsApp simulator: ${url}\n`,
  });
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
