/**
 * `npm run test:inngest [-- arguments of vitest]`: the tests against a real Inngest server, which no package registry
 * has. `INNGEST_BIN` names a binary to start, or `INNGEST_BASE_URL`, `INNGEST_EVENT_KEY` and `INNGEST_SIGNING_KEY` a
 * running one. `AWAY_SECONDS` is how long the server is unavailable in the longest of them (300).
 */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const { INNGEST_BIN, INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = process.env;

/** @returns {string | null} a description of what is missing */
function missing() {
  if (!INNGEST_BIN && !INNGEST_BASE_URL) {
    return "there is no Inngest server: set INNGEST_BIN to its binary, or INNGEST_BASE_URL to a running one's address";
  }
  if (!INNGEST_BIN && (!INNGEST_EVENT_KEY || !INNGEST_SIGNING_KEY)) {
    return "INNGEST_BASE_URL needs INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY beside it";
  }
  try {
    if (INNGEST_BIN) accessSync(INNGEST_BIN, constants.X_OK);
    return null;
  } catch {
    return `INNGEST_BIN isn't a program that can be run: ${INNGEST_BIN}`;
  }
}

const problem = missing();
if (problem !== null) {
  process.stderr.write(`test:inngest: NOTHING WAS TESTED, because ${problem}.\n`);
  process.exit(1);
}
/** Duration of all tests except the one in which the server is unavailable. */
const OTHER_MINUTES = 3;
const awaySeconds = Number(process.env.AWAY_SECONDS ?? 300);
process.stderr.write(
  `test:inngest: takes about ${Math.ceil(awaySeconds / 60) + OTHER_MINUTES} minutes, ${awaySeconds} s of them with the server away (AWAY_SECONDS).\n`,
);
const vitest = path.join(
  path.dirname(createRequire(import.meta.url).resolve("vitest/package.json")),
  "vitest.mjs",
);
const args = [vitest, "run", "--config", "e2e/inngest/vitest.config.ts", ...process.argv.slice(2)];
const hasGroups = process.platform !== "win32";
const child = spawn(process.execPath, args, { stdio: "inherit", detached: hasGroups });
// In their own process group, so that a signal ends vitest, its workers and their children.
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) {
  process.on(signal, () => {
    if (child.pid === undefined || child.exitCode !== null) return;
    process.kill(hasGroups ? -child.pid : child.pid, "SIGTERM");
  });
}
child.once("error", (error) => {
  process.stderr.write(`test:inngest: ${error.message}\n`);
  process.exitCode = 1;
});
child.once("close", (code, signal) => {
  process.exitCode = code ?? 128 + (signal === null ? 0 : os.constants.signals[signal]);
});
