import { migrateDatabase } from "@/db/client";
import type { Services } from "@/server/core/context";
import { NO_JOBS } from "@/server/core/jobs";
import { loadOrCreateSecret } from "@/server/platform/secrets/secret-file";
import { openServices } from "@/server/core/services";
import { reachDatabase, type ReachedDatabase, type Surroundings } from "./reach";

/** What a command works with. */
export interface Attachment {
  readonly services: Services;
  /** Where the service is, or will be, reached. */
  readonly baseUrl: string;
  /** What to say where nobody has told that address; null where somebody has. */
  readonly baseUrlDoubt: string | null;
  /** Null where no simulator runs. */
  readonly simulatorUrl: string | null;
  /** No server runs on the data directory: the command started the directory's database for itself. */
  readonly isWithoutServer: boolean;
}

/** A command notifies nobody: processes that run jobs poll for due rows. */
const POOLS = { name: "cli", sql: 4, orm: 4, limits: 1 } as const;

/**
 * Reaches the database as `reachDatabase` does, and opens the services over it. The database has this program's schema
 * afterwards; that of a running server has it already.
 * @throws DataDirectoryInUse, DatabaseTooNew, DatabaseTooOld, SecretMismatch, EmbeddedPostgresError
 */
export async function attach(surroundings: Surroundings): Promise<Attachment> {
  const { config, closers } = surroundings;
  const reached = await reachDatabase(surroundings);
  if (reached.via !== "server") {
    await closers.open(
      () => migrateDatabase(reached.address, config.appRoot),
      () => Promise.resolve(),
    );
  }
  return open(surroundings, reached);
}

const DOUBT =
  "This command doesn't know the service's public URL, so the beginning of the link is a guess. Set WAYPOST_PUBLIC_URL to the same value as on the server.";

async function open(
  { config, log, closers }: Surroundings,
  { address, via, run }: ReachedDatabase,
): Promise<Attachment> {
  const simulatorUrl = config.simulator.url ?? run?.simulator_url ?? null;
  const secret = config.secret ?? (await loadOrCreateSecret(config.dataDir));
  const { services } = await closers.open(
    () =>
      openServices({
        config,
        address,
        secret,
        log,
        jobs: NO_JOBS,
        pools: POOLS,
        simulatorUrl: () => simulatorUrl,
      }),
    (opened) => opened.close(),
  );
  const baseUrl = config.publicUrl ?? run?.base_url;
  return {
    services,
    simulatorUrl,
    isWithoutServer: via === "own",
    baseUrl: baseUrl ?? `http://localhost:${config.port}`,
    baseUrlDoubt: baseUrl === undefined && via === "url" ? DOUBT : null,
  };
}
