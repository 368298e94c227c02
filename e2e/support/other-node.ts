import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

/**
 * Returns the program of a Node version, from npm's package `node`.
 * @param version such as `24` for its latest release, or `20.19.0`
 * @throws Error if npm provides a different version, or none
 */
export async function programOfNode(version: string): Promise<string> {
  const args = ["--yes", "--package", `node@${version}`, "node", "-p", "process.execPath"];
  // Outside the checkout, which may have a node of its own.
  const { stdout } = await promisify(execFile)("npx", args, { cwd: tmpdir() });
  const program = stdout.trim().split("\n").at(-1) ?? "";
  const { stdout: brought } = await promisify(execFile)(program, ["--version"]);
  if (!`${brought.trim()}.`.startsWith(`v${version}.`)) {
    throw new Error(`npx brought Node ${brought.trim()}, not ${version}`);
  }
  return program;
}
