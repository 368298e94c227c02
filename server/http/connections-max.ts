import { readFileSync } from "node:fs";

/** Files, and connections to the database, to WhatsApp and to webhooks, that a process opens beside those of its clients. */
const OWN_FILES_MAX = 300;

/**
 * As many connections of clients as leave enough of the open files that the system allows for the process's own: without
 * them it could neither send what it accepted nor read a page. Infinity where the limit isn't known.
 * @param limits the text of /proc/self/limits.
 */
export function connectionsMax(limits: string | null = readLimits()): number {
  const filesMax = Number(/^Max open files\s+(\d+)/m.exec(limits ?? "")?.[1] ?? Number.POSITIVE_INFINITY);
  return Math.max(filesMax - OWN_FILES_MAX, Math.floor(filesMax / 2));
}

function readLimits(): string | null {
  try {
    return readFileSync("/proc/self/limits", "utf8");
  } catch {
    return null;
  }
}
