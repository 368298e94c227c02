import { spawnSync } from "node:child_process";
import { PGBOUNCER_PROGRAMS, PGBOUNCER_VARIABLE } from "./pgbouncer";
import { REDIS_PROGRAMS, REDIS_SERVER_VARIABLE } from "./redis-server";

const INSTALL_TIMEOUT_MS = 180_000;
/** RUNLEVEL 1: the packages' own services are not started. */
const QUIETLY = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };

/** Servers that tests run for real, and that npm can't install. */
const NEEDED = [
  {
    words: "a Redis or Valkey server",
    programs: REDIS_PROGRAMS,
    variable: REDIS_SERVER_VARIABLE,
    debian: "redis-server",
    homebrew: "redis",
  },
  {
    words: "a PgBouncer",
    programs: PGBOUNCER_PROGRAMS,
    variable: PGBOUNCER_VARIABLE,
    debian: "pgbouncer",
    homebrew: "pgbouncer",
  },
] as const;

type Needed = (typeof NEEDED)[number];

/**
 * vitest's global setup: where the machine lacks a server that tests need, root installs Debian's; anyone else is told
 * what to install.
 */
export default function requirePrograms(): void {
  for (const { variable } of NEEDED) {
    const named = process.env[variable];
    if (named && !runs(named, "--version"))
      throw new Error(`${variable} names no program that runs here: ${named}`);
  }
  const missing = NEEDED.filter((needed) => !isHere(needed));
  if (missing.length === 0) return;
  if (process.getuid?.() === 0 && runs("apt-get", "--version")) {
    const packages = missing.map(({ debian }) => debian);
    process.stderr.write(`Installing with apt-get, for the tests: ${packages.join(", ")}.\n`);
    runs("apt-get", "update", "-qq");
    runs("apt-get", "install", "-y", "-qq", "--no-install-recommends", ...packages);
  }
  const left = missing.filter((needed) => !isHere(needed));
  if (left.length > 0) throw new Error(left.map(remedyOf).join("\n"));
}

function isHere({ programs, variable }: Needed): boolean {
  return process.env[variable] !== undefined || programs.some((program) => runs(program, "--version"));
}

function remedyOf({ words, debian, homebrew, variable }: Needed): string {
  return `The tests need ${words}. Install it (Debian, Ubuntu: apt-get install ${debian}; macOS: brew install ${homebrew}), or name its program in ${variable}.`;
}

function runs(program: string, ...args: readonly string[]): boolean {
  return (
    spawnSync(program, args, { env: QUIETLY, stdio: "ignore", timeout: INSTALL_TIMEOUT_MS }).status === 0
  );
}
