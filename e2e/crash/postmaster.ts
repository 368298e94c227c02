import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The process to kill for PostgreSQL to be gone: the first line of its own file. */
export async function postmasterPid(dataDir: string): Promise<number> {
  const [line = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  return Number(line);
}
