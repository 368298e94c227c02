import { statSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { acquireFileLock } from "./file-lock.mjs";

/**
 * Waits until no other process builds in this checkout, then holds the lock until `release` is called or the process
 * ends, in whatever way. Nothing remains that could block the next start.
 *
 * @param {string} appRoot
 * @param {{ onWait: () => void, platform?: NodeJS.Platform }} options `onWait` is called once if another process
 *   holds the lock
 * @returns {Promise<{ release(): Promise<void> }>}
 */
export async function acquireBuildLock(appRoot, { onWait, platform = process.platform }) {
  const address = socketAddress(appRoot, platform);
  if (!address) return acquireFileLock(join(appRoot, "dist", "build.lock"), { onWait });
  for (let waits = 0; ; waits += 1) {
    const held = await listen(address);
    if (held) return held;
    if (waits === 0) onWait();
    await connectionEnd(address);
  }
}

/**
 * Linux's abstract sockets and Windows' pipes are names without a file. The system frees them when the process ends.
 *
 * @param {string} appRoot
 * @param {NodeJS.Platform} platform
 */
function socketAddress(appRoot, platform) {
  const { dev, ino } = statSync(appRoot, { bigint: true });
  if (platform === "linux") return `\0waypost-build-${dev}-${ino}`;
  if (platform === "win32") return `\\\\.\\pipe\\waypost-build-${dev}-${ino}`;
  return null;
}

/**
 * @param {string} address
 * @returns {Promise<{ release(): Promise<void> } | null>} null if another process has it
 */
function listen(address) {
  /** @type {Set<import("node:net").Socket>} */
  const waiting = new Set();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket.on("error", () => {}).on("close", () => waiting.delete(socket));
  });
  return new Promise((resolve, reject) => {
    server.once("error", (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === "EADDRINUSE" ? resolve(null) : reject(error),
    );
    server.listen(address, () => {
      server.unref();
      resolve({
        release: () =>
          new Promise((done) => {
            server.close(() => done());
            for (const socket of waiting) socket.destroy();
          }),
      });
    });
  });
}

/**
 * Resolves when the holder releases the lock.
 *
 * @param {string} address
 * @returns {Promise<void>}
 */
function connectionEnd(address) {
  return new Promise((resolve) => {
    connect(address)
      .on("error", () => {})
      .on("close", () => resolve())
      .resume();
  });
}
