import { existsSync, readFileSync } from "node:fs";

const LIMITS_FILE = "/proc/self/limits";

/**
 * Returns how many files and connections this process may have open at the same time. Infinity if the limit isn't
 * known: only Linux provides it. Plain syntax only, because an old Node has to parse it.
 *
 * @param {string} [limits] the text of /proc/self/limits
 * @returns {number}
 */
export function openFilesMax(limits = existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, "utf8") : "") {
  const line = /^Max open files +([0-9]+)/m.exec(limits);
  return line ? Number(line[1]) : Infinity;
}
