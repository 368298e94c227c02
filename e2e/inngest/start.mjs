/**
 * `npm run test:inngest [-- arguments of vitest]`: the tests against a real Inngest server, which no package registry has.
 * `INNGEST_BIN` names a binary to start, or `INNGEST_BASE_URL`, `INNGEST_EVENT_KEY` and `INNGEST_SIGNING_KEY` one that
 * runs. `AWAY_SECONDS` says how long the server is away in the longest of them (300).
 */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";

const { INNGEST_BIN, INNGEST_BASE_URL, INNGEST_EVENT_KEY, INNGEST_SIGNING_KEY } = process.env;

/** @returns {string | null} what is missing, in words */
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
const args = ["vitest", "run", "--config", "e2e/inngest/vitest.config.ts", ...process.argv.slice(2)];
const child = spawn("npx", args, { stdio: "inherit", shell: process.platform === "win32" });
child.once("error", (error) => {
  process.stderr.write(`test:inngest: ${error.message}\n`);
  process.exitCode = 1;
});
child.once("close", (code) => (process.exitCode = code ?? 1));
