import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

/** Without tsconfig.json, because Next rewrites it. */
const SOURCES = ["app", "server", "db", "inngest", "public", "next.config.js", "package-lock.json"];
/** A package of its own, which no build contains. */
const CLIENT = "server/client";
const TEST_FILE = /\.test\.tsx?$/;

/**
 * Returns a hash of the current source: equal for equal content of all files that are part of a build, whatever their
 * times, and different after any change to them. Tests and hidden files don't count.
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
 * @returns {string[]} in a stable order; empty if the path doesn't exist
 */
function listFiles(appRoot, path) {
  const stat = statSync(join(appRoot, path), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return TEST_FILE.test(path) ? [] : [path];
  return readdirSync(join(appRoot, path))
    .filter((name) => !name.startsWith("."))
    .sort()
    .map((name) => `${path}/${name}`)
    .filter((inside) => inside !== CLIENT)
    .flatMap((inside) => listFiles(appRoot, inside));
}
