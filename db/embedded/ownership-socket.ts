import { createHash } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { errorCode } from "@/db/embedded/files";

const GREETING_SIZE_MAX = 1024;
const GREETING_TIMEOUT_MS = 2_000;
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_RETRY_MS = 20;

const greetingSchema = z.object({ kind: z.enum(["server", "cli"]), pid: z.number().int().positive() });

/** The message that an owner sends to every process that connects. */
export type OwnerGreeting = z.infer<typeof greetingSchema>;

/** A living owner at the other end. `greeting` is null if it sent no valid message within two seconds. */
export interface LivingOwner {
  readonly greeting: OwnerGreeting | null;
  /** Settles as soon as the owner has released the name or died. */
  readonly gone: Promise<void>;
  hangUp(): void;
}

/** A name that only one process at a time can hold, and that the kernel frees when the process dies. */
export interface OwnershipSocket {
  /** Claims the name. Null if another process holds it. The result releases it. */
  claim(greeting: OwnerGreeting): Promise<(() => Promise<void>) | null>;
  /** Returns the holder. Null if there is none. */
  ask(): Promise<LivingOwner | null>;
}

/**
 * Returns the ownership of a directory, identified by device and inode, so that every path, symbolic link and bind
 * mount gives the same one. Throws if the directory doesn't exist.
 */
export async function ownershipSocketOf(directory: string): Promise<OwnershipSocket> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const name = `waypost-${dev}-${ino}`;
  // Always /tmp: if the directory depended on the user or on TMPDIR, two owners could miss each other.
  return process.platform === "linux" ? abstractOwnershipSocket(name) : pathOwnershipSocket("/tmp", name);
}

/** Uses a Linux abstract socket: there is no file, so there is nothing to clean up and no race. */
export function abstractOwnershipSocket(name: string): OwnershipSocket {
  // Older libuv pads the name with NUL to the full length and newer versions don't. At full length, both give the same
  // name.
  const address = `\0${name.padEnd(107, "-")}`;
  return { claim: (greeting) => listen(address, greeting), ask: () => ask(address) };
}

/**
 * Uses a socket file, for systems without abstract sockets. The file is only created and removed under a lock. The lock
 * is a loopback port, because the kernel frees it when its holder dies. It is held only while the file is examined.
 */
export function pathOwnershipSocket(directory: string, name: string): OwnershipSocket {
  const path = join(directory, `${name}.sock`);
  const claim = (greeting: OwnerGreeting) =>
    withLoopbackLock(name, async () => {
      const owner = await ask(path);
      if (owner !== null) {
        owner.hangUp();
        return null;
      }
      await rm(path, { force: true });
      return listen(path, greeting);
    });
  return { claim, ask: () => ask(path) };
}

async function listen(address: string, greeting: OwnerGreeting): Promise<(() => Promise<void>) | null> {
  const connections = new Set<Socket>();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => connections.delete(socket));
    socket.resume();
    socket.unref();
    socket.write(`${JSON.stringify(greeting)}\n`);
  });
  if (!(await bind(server, { path: address }))) return null;
  server.unref();
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of connections) socket.destroy();
    });
}

/** Returns true if bound, false if the address is in use. */
function bind(server: Server, address: { path: string } | { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => (errorCode(error) === "EADDRINUSE" ? resolve(false) : reject(error)));
    server.listen(address, () => resolve(true));
  });
}

function ask(address: string): Promise<LivingOwner | null> {
  return new Promise((resolve, reject) => {
    const socket = connect(address);
    let text = "";
    const answer = () => {
      clearTimeout(timer);
      socket.off("data", read).resume();
      resolve({ greeting: parseGreeting(text), gone, hangUp: () => socket.destroy() });
    };
    const read = (chunk: Buffer) => {
      text += chunk.toString("utf8");
      if (text.includes("\n") || text.length > GREETING_SIZE_MAX) answer();
    };
    const timer = setTimeout(answer, GREETING_TIMEOUT_MS);
    const gone = new Promise<void>((settle) => {
      socket.on("close", () => {
        clearTimeout(timer);
        settle();
        resolve(null);
      });
    });
    socket.on("data", read);
    socket.on("error", (error) => {
      const code = errorCode(error);
      if (code === "EACCES" || code === "EPERM" || code === "EAGAIN") answer();
      else if (code !== "ECONNREFUSED" && code !== "ENOENT" && code !== "ECONNRESET" && code !== "EPIPE")
        reject(error);
    });
  });
}

function parseGreeting(text: string): OwnerGreeting | null {
  try {
    return greetingSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function withLoopbackLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Below the range that systems use for outgoing connections.
  const port = 20_000 + (createHash("sha256").update(name).digest().readUInt16BE(0) % 10_000);
  const deadlineMs = performance.now() + LOCK_TIMEOUT_MS;
  const lock = createServer((socket) => socket.destroy());
  while (!(await bind(lock, { host: "127.0.0.1", port }))) {
    if (performance.now() > deadlineMs) {
      throw new Error(`Loopback port ${port}, which guards ${name}, is taken by another program`);
    }
    await delay(LOCK_RETRY_MS);
  }
  try {
    return await work();
  } finally {
    await new Promise((resolve) => lock.close(resolve));
  }
}
