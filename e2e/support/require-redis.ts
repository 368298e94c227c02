import { spawnSync } from "node:child_process";
import { REDIS_PROGRAMS, REDIS_SERVER_VARIABLE } from "./redis-server";

const INSTALL_TIMEOUT_MS = 180_000;
/** RUNLEVEL 1: the package's own service is not started. */
const QUIETLY = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };

/**
 * vitest's global setup: the tests of the limiters need a real redis-server. Where the machine has none, root installs
 * Debian's; anyone else is told what to install.
 */
export default function requireRedis(): void {
  const named = process.env[REDIS_SERVER_VARIABLE];
  if (named) {
    if (runs(named, "--version")) return;
    throw new Error(`${REDIS_SERVER_VARIABLE} names no redis-server that runs here: ${named}`);
  }
  if (REDIS_PROGRAMS.some((program) => runs(program, "--version"))) return;
  if (process.getuid?.() === 0 && runs("apt-get", "--version")) {
    process.stderr.write("There is no redis-server here: installing it with apt-get, for the tests.\n");
    const isInstalled =
      runs("apt-get", "update", "-qq") &&
      runs("apt-get", "install", "-y", "-qq", "--no-install-recommends", "redis-server") &&
      runs("redis-server", "--version");
    if (isInstalled) return;
  }
  throw new Error(
    `The tests need a Redis or Valkey server. Install it (Debian, Ubuntu: apt-get install redis-server; macOS: brew install redis), or name its program in ${REDIS_SERVER_VARIABLE}.`,
  );
}

function runs(program: string, ...args: readonly string[]): boolean {
  return (
    spawnSync(program, args, { env: QUIETLY, stdio: "ignore", timeout: INSTALL_TIMEOUT_MS }).status === 0
  );
}
