import { createHash } from "node:crypto";
import { stat, unlink } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Another simulator uses this directory. */
export class SimulatorDirectoryInUse extends Error {
  constructor(directory: string) {
    super(`another simulator is using ${directory}`);
    this.name = "SimulatorDirectoryInUse";
  }
}

/**
 * Makes this process the only writer of a directory, until `release` or the process's end. Throws
 * SimulatorDirectoryInUse. On Linux and Windows the lock's name exists in the kernel only, so no stale lock remains.
 */
export async function lockDirectory(directory: string): Promise<{ release(): Promise<void> }> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const name = createHash("sha256").update(`waypost-simulator ${dev} ${ino}`).digest("hex").slice(0, 32);
  const server = await listen(addressOf(name), directory);
  server.unref();
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}

function addressOf(name: string): { path: string; isFile: boolean } {
  if (process.platform === "linux") return { path: `\0waypost-simulator-${name}`, isFile: false };
  if (process.platform === "win32") return { path: `\\\\.\\pipe\\waypost-simulator-${name}`, isFile: false };
  return { path: join(tmpdir(), `waypost-sim-${name}.sock`), isFile: true };
}

async function listen(address: { path: string; isFile: boolean }, directory: string): Promise<Server> {
  const server = await tryListen(address.path);
  if (server !== null) return server;
  if (!address.isFile || (await isAlive(address.path))) throw new SimulatorDirectoryInUse(directory);
  await unlink(address.path).catch(() => undefined);
  const second = await tryListen(address.path);
  if (second === null) throw new SimulatorDirectoryInUse(directory);
  return second;
}

function tryListen(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(null);
      else reject(error);
    });
    server.listen({ path }, () => resolve(server));
  });
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
