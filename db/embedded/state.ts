import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { EmbeddedPostgresError } from "@/db/embedded/error";
import { readFileIfPresent, writeFileAtomic } from "@/db/embedded/files";

const clusterStateSchema = z.object({
  /** Name of a cluster that is outside the data directory. */
  id: z.string().regex(/^[0-9a-f]{16}$/),
  password: z.string().min(1),
  /** Absolute path of the cluster. Null if it is `postgres` in the data directory. */
  cluster: z.string().nullable(),
  /** ISO 8601. Null until initdb has finished. */
  initialized_at: z.string().nullable(),
});

/** A data directory's information about its cluster, in `postgres.json` (mode 0600). */
export type ClusterState = z.infer<typeof clusterStateSchema>;

export const clusterStatePath = (dataDir: string) => join(dataDir, "postgres.json");

export function newClusterState(): ClusterState {
  return {
    id: randomBytes(8).toString("hex"),
    password: randomBytes(24).toString("base64url"),
    cluster: null,
    initialized_at: null,
  };
}

/**
 * Returns null if there is none yet. Throws if it exists and can't be read, because it contains the only copy of the
 * password.
 */
export async function readClusterState(dataDir: string): Promise<ClusterState | null> {
  const text = await readFileIfPresent(clusterStatePath(dataDir));
  if (text === null) return null;
  try {
    return clusterStateSchema.parse(JSON.parse(text));
  } catch {
    throw new EmbeddedPostgresError(`${clusterStatePath(dataDir)} is damaged: restore it from a backup`);
  }
}

/** Returns the path of the data directory's cluster. Null if it has none yet. Throws like `readClusterState`. */
export async function clusterPath(dataDir: string): Promise<string | null> {
  const state = await readClusterState(dataDir);
  return state?.initialized_at ? (state.cluster ?? join(dataDir, "postgres")) : null;
}

export async function writeClusterState(dataDir: string, state: ClusterState): Promise<void> {
  await writeFileAtomic(clusterStatePath(dataDir), `${JSON.stringify(state, null, 2)}\n`);
}
