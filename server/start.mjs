/**
 * Starts Waypost from a checkout: builds what is missing for *this* source, then runs it in this process, so
 * that signals and exit codes are those of the program itself.
 *
 *     node server/start.mjs [server | dev | build | cli … | simulator …]
 *
 * Needs nothing but Node itself until the build begins. Its own lines go to stderr; stdout is the program's.
 */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { findObstacle } from "./build/preflight.mjs";
import { StartError } from "./build/start-error.mjs";

const appRoot = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param {string} line */
function report(line) {
  process.stderr.write(`waypost: ${line}\n`);
}

/** @param {string[]} argv */
async function start(argv) {
  const obstacle = findObstacle({ appRoot, nodeVersion: process.versions.node });
  if (obstacle) throw new StartError(obstacle);
  // Imported only now: these may use what an older Node can't parse.
  const { runCommand } = await import("./build/commands.mjs");
  await runCommand({ appRoot, argv, report });
}

start(process.argv.slice(2)).catch((error) => {
  report(error instanceof StartError ? error.message : inspect(error));
  process.exit(1);
});
