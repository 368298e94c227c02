/** `npm pack` runs this: bundles the simulator, with the packages that it uses, into one program. */
import { chmodSync, rmSync } from "node:fs";
import { build } from "esbuild";

const here = import.meta.dirname;
const outfile = `${here}/dist/waypost-simulator.cjs`;

rmSync(`${here}/dist`, { recursive: true, force: true });
await build({
  stdin: {
    contents: 'import { runCommand } from "./command"; void runCommand(process.argv.slice(2));',
    resolveDir: here,
  },
  outfile,
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  banner: { js: "#!/usr/bin/env node" },
  logLevel: "warning",
});
chmodSync(outfile, 0o755);
