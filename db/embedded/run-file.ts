import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readFileIfPresent, writeFileAtomic } from "@/db/embedded/files";

const embeddedConnectionSchema = z.object({
  /** Directory of the unix socket. As `host` of postgres.js it selects the socket `.s.PGSQL.<port>` in it. */
  socketDirectory: z.string(),
  port: z.number().int(),
  user: z.string(),
  password: z.string(),
  database: z.string(),
});

const runFileSchema = z.object({
  kind: z.enum(["server", "cli"]),
  pid: z.number().int().positive(),
  postgres: embeddedConnectionSchema,
  base_url: z.string().nullable(),
  simulator_url: z.string().nullable(),
  /** ISO 8601. */
  started_at: z.string(),
});

/** Connection parameters of the embedded PostgreSQL. It has a unix socket only, and listens on no TCP port. */
export type EmbeddedConnection = z.infer<typeof embeddedConnectionSchema>;

/** Information that the owner of a data directory publishes for processes that want to attach to it. */
export type RunFile = z.infer<typeof runFileSchema>;

/** A process that runs the service, or a command that runs PostgreSQL only for its own duration. */
export type OwnerKind = RunFile["kind"];

const runFilePath = (dataDir: string) => join(dataDir, "run.json");

/**
 * Publishes the owner. Readers see the previous text or this one, never a part. Mode 0600, because it contains a
 * password.
 */
export async function writeRunFile(dataDir: string, run: RunFile): Promise<void> {
  await writeFileAtomic(runFilePath(dataDir), `${JSON.stringify(run, null, 2)}\n`);
}

/**
 * Returns the owner's run file. Null if the file is absent or invalid. It outlives an owner that was killed;
 * `isDataDirectoryOwned` says whether there is a running one.
 */
export async function readRunFile(dataDir: string): Promise<RunFile | null> {
  const text = await readFileIfPresent(runFilePath(dataDir));
  if (text === null) return null;
  try {
    return runFileSchema.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Removes the run file. Does nothing if there is none. */
export async function removeRunFile(dataDir: string): Promise<void> {
  await rm(runFilePath(dataDir), { force: true });
}
