/**
 * Preloaded into a server (`NODE_OPTIONS=--import`): on SIGUSR2 it collects all garbage, and writes what memory is left
 * as one line of JSON to standard error.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

process.on("SIGUSR2", () => {
  // What the first run finalises, only a later one frees.
  collect();
  setImmediate(() => {
    collect();
    process.stderr.write(`memory: ${JSON.stringify(process.memoryUsage())}\n`);
  });
});
