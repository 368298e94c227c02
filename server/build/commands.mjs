import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runDevelopment } from "./dev.mjs";
import { ensureBuild } from "./ensure-build.mjs";
import { nextEnvironment } from "./next.mjs";
import { StartError } from "./start-error.mjs";

/**
 * The programs that can be started: the program in the bundle, and the parts of a build it needs.
 *
 * @type {Readonly<Record<string, { program: keyof typeof import("./bundle.mjs").PROGRAMS,
 *   parts: readonly import("./store.mjs").Part[] }>>}
 */
const COMMANDS = {
  server: { program: "server", parts: ["bundle", "next"] },
  cli: { program: "cli", parts: ["bundle"] },
  simulator: { program: "simulator", parts: ["bundle"] },
};

const USAGE = `Usage: node server/start.mjs [command]
  server           build if needed, then run the server (the default)
  dev              run the server from the source, again after every change
  build            build only
  cli …            an operator's command
  simulator …      the WhatsApp simulator alone`;

/**
 * Runs one command of `server/start.mjs`. Resolves when the program has started (its own work may continue). Throws a
 * StartError if the command is unknown or the build fails, and any error of the program.
 *
 * @param {{ appRoot: string, argv: string[], report: (line: string) => void }} options
 */
export async function runCommand({ appRoot, argv, report }) {
  const [name = "server", ...rest] = argv;
  if (name === "dev") return runDevelopment({ appRoot, argv: rest, report });
  if (name === "build") {
    await ensureBuild({ appRoot, parts: ["bundle", "next"], report });
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new StartError(`There is no command "${name}".\n${USAGE}`);

  const store = await ensureBuild({ appRoot, parts: command.parts, report });
  const distDir = store.find("next") ?? join(appRoot, "dist", store.hash, "next");
  Object.assign(process.env, nextEnvironment({ appRoot, distDir }));
  const file = join(String(store.find("bundle")), `${command.program}.js`);
  await runProgram(file, { appRoot, distDir, argv: rest });
}

/**
 * Runs a bundled program in this process.
 *
 * @param {string} file
 * @param {{ appRoot: string, distDir: string, argv: string[], dev?: boolean }} options
 */
export async function runProgram(file, options) {
  process.setSourceMapsEnabled(true);
  const program = await import(pathToFileURL(file).href);
  await program.main(options);
}
