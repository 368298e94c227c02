/** `npm run bench [-- …]`, see `--help`: bundles the bench, then runs it in this process. See run.ts. */
import { build } from "esbuild";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleOptions } from "../../server/build/bundle.mjs";

const appRoot = resolve(import.meta.dirname, "../..");
// As deep in the repository as e2e/support, which finds the repository relative to itself.
const outdir = join(appRoot, "dist/bench");

await build({
  ...bundleOptions(appRoot, outdir),
  entryPoints: { run: "e2e/bench/run.ts", worker: "e2e/bench/worker.ts" },
  splitting: false,
  logLevel: "error",
});
process.setSourceMapsEnabled(true);
/** @type {typeof import("./run.ts")} */
const { runBench } = await import(pathToFileURL(join(outdir, "run.js")).href);
process.exitCode = await runBench({
  appRoot,
  argv: process.argv.slice(2),
  workerFile: join(outdir, "worker.js"),
});
