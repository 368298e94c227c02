import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isProcessAlive } from "./process-alive.mjs";

const HEARTBEAT_MS = 2_000;
const STALE_MS = 15_000;
const POLL_MS = 100;

/**
 * A lock for systems without sockets outside the file system: a file that names its holder. It is stale if that process
 * is gone, or if its heartbeat stopped (another process may have the same number now).
 *
 * @param {string} file
 * @param {{ onWait: () => void }} options
 * @returns {Promise<{ release(): Promise<void> }>}
 */
export async function acquireFileLock(file, { onWait }) {
  mkdirSync(dirname(file), { recursive: true });
  const token = `${process.pid} ${randomUUID()}`;
  for (let waits = 0; !tryCreate(file, token); waits += 1) {
    if (waits === 0) onWait();
    if (isStale(file)) removeStale(file);
    else await delay(POLL_MS);
  }
  const heartbeat = setInterval(() => beat(file), HEARTBEAT_MS).unref();
  return {
    async release() {
      clearInterval(heartbeat);
      if (readOrNull(file) === token) rmSync(file, { force: true });
    },
  };
}

/**
 * @param {string} file
 * @param {string} token
 */
function tryCreate(file, token) {
  try {
    writeFileSync(file, token, { flag: "wx" });
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/** @param {string} file */
function beat(file) {
  try {
    utimesSync(file, new Date(), new Date());
  } catch {
    // Another process took the lock while this one was suspended. The two builds don't share a directory.
  }
}

/** @param {string} file */
function isStale(file) {
  const stat = statSync(file, { throwIfNoEntry: false });
  const token = readOrNull(file);
  if (!stat || !token) return Boolean(stat) && Date.now() - Number(stat?.mtimeMs) > STALE_MS;
  return !isProcessAlive(Number.parseInt(token, 10)) || Date.now() - stat.mtimeMs > STALE_MS;
}

/**
 * If several processes find the same stale lock, one moves it away. A lock that was acquired again in between is put
 * back.
 *
 * @param {string} file
 */
function removeStale(file) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
  } catch {
    return;
  }
  if (isStale(aside)) rmSync(aside, { force: true });
  else renameSync(aside, file);
}

/** @param {string} file */
function readOrNull(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
