import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openFilesMax } from "./open-files.mjs";

export const NODE_MIN = { major: 20, minor: 19 };
/** Loading the program alone opens about 300 files at the same time. */
export const OPEN_FILES_MIN = 512;

/**
 * Returns in one sentence why Waypost can't start here, or null: Node too old, too few open files, dependencies not
 * installed, or installed in other versions than in package-lock.json. Plain syntax only, because an old Node has to
 * parse it.
 *
 * @param {{ appRoot: string, nodeVersion: string }} options
 * @returns {string | null}
 */
export function findObstacle(options) {
  return findOldNode(options.nodeVersion) || findFewFiles() || findWrongDependencies(options.appRoot);
}

/** @param {string} nodeVersion */
function findOldNode(nodeVersion) {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  const isNew = major > NODE_MIN.major || (major === NODE_MIN.major && minor >= NODE_MIN.minor);
  if (isNew) return null;
  return `Waypost needs Node ${NODE_MIN.major}.${NODE_MIN.minor} or newer; this is Node ${nodeVersion}.`;
}

function findFewFiles() {
  const max = openFilesMax();
  if (max >= OPEN_FILES_MIN) return null;
  return `Waypost needs at least ${OPEN_FILES_MIN} open files, and the system allows ${max}. Raise the limit first, for example with "ulimit -n 4096".`;
}

/** @param {string} appRoot */
function findWrongDependencies(appRoot) {
  if (!existsSync(join(appRoot, "node_modules"))) {
    return `The dependencies are not installed. Run "npm ci" in ${appRoot} first.`;
  }
  const wanted = readJson(join(appRoot, "package-lock.json")).packages;
  for (const name of Object.keys(readJson(join(appRoot, "package.json")).dependencies || {})) {
    const path = `node_modules/${name}`;
    const manifest = join(appRoot, path, "package.json");
    const installed = existsSync(manifest) ? readJson(manifest).version : "missing";
    const locked = wanted[path] ? wanted[path].version : "missing";
    if (installed !== locked) {
      const difference = `${name} is ${installed}, wanted is ${locked}`;
      return `The installed dependencies are not those of package-lock.json (${difference}). Run "npm ci".`;
    }
  }
  return null;
}

/** @param {string} file */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
