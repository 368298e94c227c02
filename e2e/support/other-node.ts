import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

/**
 * The program of a version of Node, which npm's package `node` brings.
 * @param version such as `24`, which is the latest of it, or `20.19.0`
 * @throws Error when npm brings another one, or none
 */
export async function programOfNode(version: string): Promise<string> {
  const args = ["--yes", "--package", `node@${version}`, "node", "-p", "process.execPath"];
  // Elsewhere than in the checkout, which may have a node of its own.
  const { stdout } = await promisify(execFile)("npx", args, { cwd: tmpdir() });
  const program = stdout.trim().split("\n").at(-1) ?? "";
  const { stdout: brought } = await promisify(execFile)(program, ["--version"]);
  if (!`${brought.trim()}.`.startsWith(`v${version}.`)) {
    throw new Error(`npx brought Node ${brought.trim()}, not ${version}`);
  }
  return program;
}
