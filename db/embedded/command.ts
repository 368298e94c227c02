import { execFile } from "node:child_process";
import type { Account } from "@/db/embedded/account";

const OUTPUT_SIZE_MAX = 256 * 1024;

/** The part of our environment that PostgreSQL's programs get: no secrets, and no PG* variables. */
export const postgresEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env["PATH"],
  LC_ALL: "C",
  TZ: "UTC",
  // Has no meaning for PostgreSQL. Next's types require it in every environment.
  NODE_ENV: "production",
};

/**
 * Runs a program as the account until it ends, and returns its standard output. If it fails or takes longer than
 * `timeoutMs`, rejects with its last output.
 */
export function runAs(account: Account, program: string, args: string[], timeoutMs: number): Promise<string> {
  const options = {
    ...identityFor(account),
    cwd: "/",
    env: postgresEnvironment,
    timeout: timeoutMs,
    killSignal: "SIGKILL" as const,
    maxBuffer: OUTPUT_SIZE_MAX,
  };
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const words = lastLines(stderr || stdout) || error.message;
      reject(new Error(`${program} failed: ${words}`));
    });
  });
}

/**
 * Options for a process that runs as the account. Empty if this process already does, because only root may change the
 * user.
 */
export function identityFor(account: Account): { uid?: number; gid?: number } {
  return account.uid === process.getuid?.() ? {} : { uid: account.uid, gid: account.gid };
}

/** Returns the end of a program's output, short enough for a log line. */
export function lastLines(text: string): string {
  return text.trim().split("\n").slice(-6).join("\n").slice(-1500);
}
