/** `npm run crash [-- --rounds N]`: bundles the long crash test, then runs it in this process. See rounds.ts. */
import { build } from "esbuild";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleOptions } from "../../server/build/bundle.mjs";

const appRoot = resolve(import.meta.dirname, "../..");
// As deep in the repository as e2e/support, which finds the repository relative to itself.
const outdir = join(appRoot, "dist/crash");

await build({
  ...bundleOptions(appRoot, outdir),
  entryPoints: { run: "e2e/crash/run.ts" },
  splitting: false,
  logLevel: "error",
});
process.setSourceMapsEnabled(true);
/** @type {typeof import("./run.ts")} */
const { runCrash } = await import(pathToFileURL(join(outdir, "run.js")).href);
process.exitCode = await runCrash(process.argv.slice(2));
