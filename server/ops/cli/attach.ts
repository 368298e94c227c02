import { migrateDatabase } from "@/db/client";
import type { Services } from "@/server/core/context";
import { NO_JOBS } from "@/server/core/jobs";
import { loadOrCreateSecret } from "@/server/platform/secrets/secret-file";
import { openServices } from "@/server/core/services";
import { reachDatabase, type ReachedDatabase, type Surroundings } from "./reach";

/** Resources that a command works with. */
export interface Attachment {
  readonly services: Services;
  /** Current or future address of the service. */
  readonly baseUrl: string;
  /** A note if that address isn't configured. Null if it is. */
  readonly baseUrlDoubt: string | null;
  /** Null if no simulator runs. */
  readonly simulatorUrl: string | null;
  /** True if no server runs on the data directory and the command started the directory's database for itself. */
  readonly isWithoutServer: boolean;
}

/** A command sends no job signals: processes that run jobs poll for due rows. */
const POOLS = { name: "cli", sql: 4, orm: 4, limits: 1 } as const;

/**
 * Connects to the database as `reachDatabase` does, and opens the services over it. Afterwards the database has this
 * program's schema; that of a running server already has it.
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
