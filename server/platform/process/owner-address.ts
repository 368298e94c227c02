import type { DatabaseAddress } from "@/db/client";
import { readRunFile, type RunFile } from "@/db/embedded";

/**
 * Returns how to reach the PostgreSQL of the process that owns the data directory. The password is read again at every
 * connection, because another owner may have started. While there is no owner, the last one's address is tried.
 */
export function addressOfOwner(dataDir: string, run: RunFile): DatabaseAddress {
  const password = async () => ((await readRunFile(dataDir)) ?? run).postgres.password;
  return { ...run.postgres, password };
}
