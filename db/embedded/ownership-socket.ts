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

/** What an owner says to everyone who connects. */
export type OwnerGreeting = z.infer<typeof greetingSchema>;

/** A living owner on the other end. `greeting` is null when it said nothing intelligible within two seconds. */
export interface LivingOwner {
  readonly greeting: OwnerGreeting | null;
  /** Settles as soon as the owner has let go or died. */
  readonly gone: Promise<void>;
  hangUp(): void;
}

/** A name that one process at a time can hold, and that the kernel frees when its holder dies. */
export interface OwnershipSocket {
  /** Takes the name, or answers null when another holds it. The result lets go of it. */
  claim(greeting: OwnerGreeting): Promise<(() => Promise<void>) | null>;
  /** The holder, or null when there is none. */
  ask(): Promise<LivingOwner | null>;
}

/**
 * The ownership of a directory, by device and inode: the same through every path, symbolic link or bind mount.
 * Throws when the directory is absent.
 */
export async function ownershipSocketOf(directory: string): Promise<OwnershipSocket> {
  const { dev, ino } = await stat(directory, { bigint: true });
  const name = `waypost-${dev}-${ino}`;
  // Always /tmp: a temp directory that depends on the user or on TMPDIR would let two owners miss each other.
  return process.platform === "linux" ? abstractOwnershipSocket(name) : pathOwnershipSocket("/tmp", name);
}

/** A Linux abstract socket: no file, so nothing to clean up and nothing to race for. */
export function abstractOwnershipSocket(name: string): OwnershipSocket {
  // Older libuv pads the name with NUL to the full length and newer doesn't; at full length both agree.
  const address = `\0${name.padEnd(107, "-")}`;
  return { claim: (greeting) => listen(address, greeting), ask: () => ask(address) };
}

/**
 * For systems without abstract sockets: a socket file, made and removed only under a lock. The lock is a loopback
 * port, because the kernel frees it when its holder dies, and it is held only while the file is examined.
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

/** True when bound, false when the address is in use. */
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
  // Below the range that systems give out to outgoing connections.
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
