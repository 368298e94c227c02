/**
 * `npm run verify`: runs every script of package.json named `verify:…`, as many in parallel as there are processors,
 * and needs no service. Shows the output of failed parts, ends with `verify: N passed, N failed`, and exits with 1 if
 * one failed.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** A limit for hanging parts only: on one busy core a part takes minutes. */
const PART_MS_MAX = 900_000;

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const waiting = Object.keys(scripts).filter((name) => name.startsWith("verify:"));
let passed = 0;
let failed = 0;

/**
 * @param {string} name
 * @returns {Promise<void>}
 */
function runPart(name) {
  const startedAt = performance.now();
  const part = spawn("npm", ["run", "--silent", name], {
    cwd: new URL("..", import.meta.url),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PART_MS_MAX,
    shell: process.platform === "win32",
  });
  let output = "";
  for (const stream of [part.stdout, part.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  }
  return new Promise((resolve, reject) => {
    part.once("error", reject);
    part.once("close", (code) => {
      const isPassed = code === 0;
      if (isPassed) passed += 1;
      else failed += 1;
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.log(`${isPassed ? "passed" : "FAILED"}  ${name} (${seconds} s)`);
      if (!isPassed) console.log(output.trimEnd().replace(/^/gm, "    "));
      resolve();
    });
  });
}

async function runNext() {
  for (let name = waiting.shift(); name; name = waiting.shift()) await runPart(name);
}

await Promise.all(Array.from({ length: availableParallelism() }, runNext));
console.log(`verify: ${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
