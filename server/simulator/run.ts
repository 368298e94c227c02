import { pino } from "pino";
import { SimulatorDirectoryInUse } from "./directory-lock";
import { startSimulator, type Simulator } from "./start";

/** npm forwards a Ctrl-C that the terminal has already sent: within this time, even under load. */
const echoMaxMs = 1_000;

interface RunOptions {
  readonly port: number;
  /** Contains everything that the simulator stores. */
  readonly directory: string;
  /** Host names that callers may use in addition to the loopback ones. */
  readonly hostNames: readonly string[];
  /** Names of the settings in messages about them, such as `--port`. */
  readonly settingNames: { readonly port: string; readonly directory: string };
  /** Returns what is printed on stdout when the simulator is ready. */
  readonly greeting: (simulator: Simulator) => Promise<string> | string;
}

/**
 * Runs the simulator as a program until SIGTERM or SIGINT. Logs to stderr. Resolves to the exit code: 0 after a signal,
 * 1 if it can't start, with the reason on stderr.
 */
export async function runSimulator(options: RunOptions): Promise<number> {
  const { port, directory, hostNames } = options;
  const log = pino({ name: "simulator", base: null }, pino.destination({ dest: 2, sync: true }));
  const signal = nextSignal();
  let simulator: Simulator;
  try {
    simulator = await startSimulator({ port, directory, hostNames, log });
  } catch (error) {
    return refuseStart([explain(error, options)]);
  }
  try {
    process.stdout.write(await options.greeting(simulator));
  } catch (error) {
    await simulator.stop();
    return refuseStart([error instanceof Error ? error.message : String(error)]);
  }
  await signal;
  await simulator.stop();
  return 0;
}

/** Prints why the simulator can't start. @returns the exit code. */
export function refuseStart(problems: readonly string[]): number {
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return 1;
}

function explain(error: unknown, { port, directory, settingNames }: RunOptions): string {
  if (error instanceof SimulatorDirectoryInUse) return `${settingNames.directory}: ${error.message}`;
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? error.code : null;
  if (code === "EADDRINUSE") return `${settingNames.port}: port ${port} is in use`;
  if (code === "EACCES" && "syscall" in error && error.syscall === "listen") {
    return `${settingNames.port}: no permission to listen on port ${port}`;
  }
  return `${settingNames.directory}: ${directory} can't be used: ${error.message}`;
}

/** Resolves at the first signal. A second one ends the process immediately. */
function nextSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstAtMs: number | null = null;
    const take = () => {
      firstAtMs ??= performance.now();
      if (performance.now() - firstAtMs > echoMaxMs) process.exit(1);
      resolve();
    };
    for (const name of ["SIGTERM", "SIGINT"] as const) process.on(name, take);
  });
}
