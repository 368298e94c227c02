import type { DatabaseAddress } from "@/db/client";
import { readRunFile, type RunFile } from "@/db/embedded";

/**
 * How to reach the PostgreSQL of the process that owns the data directory. The password is read again at every
 * connection: another owner may have come meanwhile. While there is none, the last one's is tried.
 */
export function addressOfOwner(dataDir: string, run: RunFile): DatabaseAddress {
  const password = async () => ((await readRunFile(dataDir)) ?? run).postgres.password;
  return { ...run.postgres, password };
}
