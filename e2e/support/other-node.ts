import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { promisify } from "node:util";

/** Node's major versions that are supported. */
const MAJORS = ["22", "24"] as const;

/** A program of the latest of these that doesn't run here: npm's package `node` brings it. */
export async function otherNode(): Promise<{ readonly program: string; readonly major: string }> {
  const [running] = process.versions.node.split(".");
  const major = MAJORS.toReversed().find((one) => one !== running) ?? MAJORS[1];
  const args = ["--yes", "--package", `node@${major}`, "node", "-p", "process.execPath"];
  // Elsewhere than in the checkout, which may have a node of its own.
  const { stdout } = await promisify(execFile)("npx", args, { cwd: tmpdir() });
  const program = stdout.trim().split("\n").at(-1) ?? "";
  const { stdout: version } = await promisify(execFile)(program, ["--version"]);
  if (!version.startsWith(`v${major}.`)) throw new Error(`npx brought ${version.trim()}, not Node ${major}`);
  return { program, major };
}
