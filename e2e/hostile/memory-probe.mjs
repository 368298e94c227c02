/**
 * Preloaded into a server (`NODE_OPTIONS=--import`): on SIGUSR2 it collects all garbage, and writes the remaining
 * memory as one line of JSON to standard error.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

process.on("SIGUSR2", () => {
  // Objects finalized by the first run are freed only by a later one.
  collect();
  setImmediate(() => {
    collect();
    process.stderr.write(`memory: ${JSON.stringify(process.memoryUsage())}\n`);
  });
});
