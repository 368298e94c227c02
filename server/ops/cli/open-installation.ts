import { createPool } from "@/db/client";
import { clusterPath, DataDirectoryInUse, EmbeddedPostgresError, isDataDirectoryOwned } from "@/db/embedded";
import { ConfigError } from "@/server/platform/config";
import type { DatabaseAccess, Installation } from "@/server/ops/doctor/installation";
import { wordsOf } from "@/server/ops/doctor/statements";
import { findSecret } from "@/server/platform/secrets/secret-file";
import { createVault } from "@/server/platform/secrets/vault";
import { createWhatsAppClient } from "@/server/adapters/whatsapp/client";
import { reachDatabase, type ReachedDatabase, type Surroundings } from "./reach";

/** Time for a starting server to publish its address. */
const OWNER_WAIT_MS = 20_000;
const CONNECTIONS_MAX = 6;

/** Connects to what is available. The examination reports what isn't. */
export async function openInstallation(surroundings: Surroundings): Promise<Installation> {
  const { config, closers } = surroundings;
  const { database, run } = await openDatabase(surroundings);
  const whatsapp = createWhatsAppClient({ connectionsMax: CONNECTIONS_MAX });
  closers.add(() => whatsapp.close());
  const secret = await readSecret(surroundings);
  return {
    config,
    database,
    databaseDirectory:
      config.databaseUrl === null ? await clusterPath(config.dataDir).catch(() => null) : null,
    vault: secret.value === null ? null : createVault(secret.value),
    secretProblem: secret.problem,
    simulatorUrl: config.simulator.url ?? run?.simulator_url ?? null,
    whatsapp,
  };
}

async function openDatabase(
  surroundings: Surroundings,
): Promise<{ database: DatabaseAccess; run: ReachedDatabase["run"] }> {
  const { config, closers } = surroundings;
  try {
    // An examination must not create anything.
    if (config.databaseUrl === null && !(await hasDatabase(config.dataDir)))
      return { database: { kind: "absent" }, run: null };
    const { address, via, run } = await reachDatabase(surroundings, OWNER_WAIT_MS);
    const sql = createPool(address, { name: "doctor", connectionsMax: CONNECTIONS_MAX });
    closers.add(() => sql.end({ timeout: 1 }));
    return { database: { kind: "reached", via, sql }, run };
  } catch (error) {
    return { database: { kind: "unreachable", reason: reasonOf(error) }, run: null };
  }
}

async function hasDatabase(dataDir: string): Promise<boolean> {
  return (await isDataDirectoryOwned(dataDir)) || (await clusterPath(dataDir)) !== null;
}

/** Errors whose messages are written for the operator. */
const WRITTEN_FOR_PEOPLE = [DataDirectoryInUse, EmbeddedPostgresError, ConfigError] as const;

function reasonOf(error: unknown): string {
  const isWritten = error instanceof Error && WRITTEN_FOR_PEOPLE.some((known) => error instanceof known);
  return isWritten ? error.message : wordsOf(error);
}

async function readSecret({
  config,
}: Surroundings): Promise<{ value: string | null; problem: string | null }> {
  if (config.secret !== null) return { value: config.secret, problem: null };
  try {
    return { value: await findSecret(config.dataDir), problem: null };
  } catch (error) {
    return { value: null, problem: error instanceof Error ? error.message : "it can't be read" };
  }
}
