import { spawnSync } from "node:child_process";
import { PGBOUNCER_PROGRAMS, PGBOUNCER_VARIABLE } from "./pgbouncer";
import { REDIS_PROGRAMS, REDIS_SERVER_VARIABLE } from "./redis-server";

const INSTALL_TIMEOUT_MS = 180_000;
/** RUNLEVEL 1: the packages' own services are not started. */
const QUIETLY = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };

/** Real programs that tests run, and that npm can't install. */
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
  // The language of the documentation's samples.
  { words: "Python 3", programs: ["python3"], variable: null, debian: "python3", homebrew: "python" },
  { words: "OpenSSL", programs: ["openssl"], variable: null, debian: "openssl", homebrew: "openssl" },
] as const;

type Needed = (typeof NEEDED)[number];

/**
 * vitest's global setup: if the machine lacks a program that tests need, root installs Debian's package; other users
 * see what to install.
 */
export default function requirePrograms(): void {
  for (const { variable } of NEEDED) {
    const named = namedBy(variable);
    if (named && !answers(named)) throw new Error(`${variable} names no program that runs here: ${named}`);
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
  return namedBy(variable) !== undefined || programs.some(answers);
}

/** Returns the program that a variable names, if there is a variable. */
const namedBy = (variable: string | null) => (variable === null ? undefined : process.env[variable]);

/** OpenSSL before version 3 knows only the second form. */
const answers = (program: string) => runs(program, "--version") || runs(program, "version");

function remedyOf({ words, debian, homebrew, variable }: Needed): string {
  const named = variable === null ? "" : `, or name its program in ${variable}`;
  return `The tests need ${words}. Install it (Debian, Ubuntu: apt-get install ${debian}; macOS: brew install ${homebrew})${named}.`;
}

function runs(program: string, ...args: readonly string[]): boolean {
  return (
    spawnSync(program, args, { env: QUIETLY, stdio: "ignore", timeout: INSTALL_TIMEOUT_MS }).status === 0
  );
}
