import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** tsconfig.json is not among them: Next rewrites it. */
const SOURCES = ["app", "server", "db", "inngest", "public", "next.config.js", "package-lock.json"];
const TEST_FILE = /\.test\.tsx?$/;

/**
 * A name for the present source: equal for equal content of all files that go into a build, whatever their
 * times, and another one after any change to them. Tests and hidden files don't count.
 *
 * @param {string} appRoot
 * @returns {string} 16 hexadecimal digits
 */
export function hashSource(appRoot) {
  const hash = createHash("sha256");
  for (const path of SOURCES.flatMap((source) => listFiles(appRoot, source))) {
    const content = readFileSync(join(appRoot, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * @param {string} appRoot
 * @param {string} path relative to appRoot, with forward slashes
 * @returns {string[]} in a stable order; none when there is nothing at the path
 */
function listFiles(appRoot, path) {
  const stat = statSync(join(appRoot, path), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return TEST_FILE.test(path) ? [] : [path];
  return readdirSync(join(appRoot, path))
    .filter((name) => !name.startsWith("."))
    .sort()
    .flatMap((name) => listFiles(appRoot, `${path}/${name}`));
}
