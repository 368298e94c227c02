import { fork } from "node:child_process";
import { relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { StartError } from "./start-error.mjs";

const OUTPUT_BYTES_MAX = 256 * 1024;

/**
 * Returns the environment in which Next builds and runs: the build directory (next.config.js reads it), no telemetry,
 * no changes to package-lock.json, and (`CI`) no attempt to install dependencies that it considers missing.
 *
 * @param {{ appRoot: string, distDir: string, dev?: boolean }} options distDir is absolute
 */
export function nextEnvironment({ appRoot, distDir, dev = false }) {
  /** @type {"development" | "production"} */
  const mode = dev ? "development" : "production";
  return {
    NODE_ENV: mode,
    NEXT_TELEMETRY_DISABLED: "1",
    NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
    WAYPOST_NEXT_DIST_DIR: relative(appRoot, distDir).split(sep).join("/"),
  };
}

/**
 * Runs `next build` in a separate process, which ends with this one. Throws a StartError with Next's output if it
 * fails.
 *
 * @param {{ appRoot: string, distDir: string }} options distDir is absolute
 * @returns {Promise<void>}
 */
export function buildNext({ appRoot, distDir }) {
  const child = fork(fileURLToPath(new URL("next-process.mjs", import.meta.url)), [], {
    cwd: appRoot,
    env: { ...process.env, ...nextEnvironment({ appRoot, distDir }), CI: "1" },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text) => {
      output = (output + text).slice(-OUTPUT_BYTES_MAX);
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else
        reject(new StartError(`next build failed (${signal ?? `exit code ${code}`}).\n${output.trimEnd()}`));
    });
  });
}
