import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the pid to kill to stop PostgreSQL: the first line of its pid file. */
export async function postmasterPid(dataDir: string): Promise<number> {
  const [line = ""] = (await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).split("\n");
  return Number(line);
}
