import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { nextEnvironment } from "./next.mjs";

const STOP_MS_MAX = 35_000;

/**
 * Runs one process of a bundled program. `restart` stops it gracefully and starts the current bundle, `stop` ends it
 * for good and returns its exit code.
 *
 * @param {{ file: string, report: (line: string) => void,
 *   options: { appRoot: string, distDir: string, argv: string[], dev: boolean } }} settings
 */
export function createRestarter({ file, options, report }) {
  /** @type {import("node:child_process").ChildProcess | null} */
  let child = null;
  let isStopped = false;
  let turn = Promise.resolve();

  function start() {
    // It has its own process group, so that only this process forwards a terminal's Ctrl-C to it, once.
    const started = fork(fileURLToPath(new URL("dev-process.mjs", import.meta.url)), [], {
      env: { ...process.env, ...nextEnvironment(options) },
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      detached: true,
    });
    started.send({ file, options });
    started.once("exit", (code, signal) => {
      if (child !== started) return;
      child = null;
      if (!isStopped) report(`the server ended (${signal ?? `exit code ${code}`}); waiting for a change`);
    });
    child = started;
  }

  return {
    /** @returns {Promise<void>} */
    restart() {
      turn = turn.then(async () => {
        const previous = child;
        child = null;
        if (previous) {
          report("the source changed; restarting");
          await end(previous, "SIGTERM");
        }
        if (!isStopped) start();
      });
      return turn;
    },

    /**
     * @param {NodeJS.Signals} signal
     * @returns {Promise<number>}
     */
    async stop(signal) {
      isStopped = true;
      await turn;
      return child ? end(child, signal) : 0;
    },
  };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {NodeJS.Signals} signal
 * @returns {Promise<number>} its exit code; 1 if it had to be killed
 */
function end(child, signal) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode ?? 1);
    const kill = setTimeout(() => child.kill("SIGKILL"), STOP_MS_MAX);
    child.once("exit", (code) => {
      clearTimeout(kill);
      resolve(code ?? 1);
    });
    child.kill(signal);
  });
}
