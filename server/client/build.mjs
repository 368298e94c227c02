/** `npm pack` runs this: bundles the client into `dist/index.js`, and writes its declarations beside it. */
import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import { build } from "esbuild";

const here = import.meta.dirname;

rmSync(`${here}/dist`, { recursive: true, force: true });
await build({
  entryPoints: [`${here}/index.ts`],
  outfile: `${here}/dist/index.js`,
  bundle: true,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  logLevel: "warning",
});
const tsc = createRequire(import.meta.url).resolve("typescript/bin/tsc");
execFileSync(process.execPath, [tsc, "--project", here], { stdio: "inherit" });
