import { rm } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { readFileIfPresent, writeFileAtomic } from "@/db/embedded/files";

const embeddedConnectionSchema = z.object({
  /** Directory of the unix socket; as `host` of postgres.js it selects the socket `.s.PGSQL.<port>` in it. */
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

/** How to reach the embedded PostgreSQL: only through its unix socket, it listens on no TCP port. */
export type EmbeddedConnection = z.infer<typeof embeddedConnectionSchema>;

/** What the owner of a data directory tells the processes that want to attach to it. */
export type RunFile = z.infer<typeof runFileSchema>;

/** A process that runs the service, or a command that runs PostgreSQL for its own duration only. */
export type OwnerKind = RunFile["kind"];

const runFilePath = (dataDir: string) => join(dataDir, "run.json");

/** Publishes the owner. Readers see the former text or this one, never a part; mode 0600, for it holds a password. */
export async function writeRunFile(dataDir: string, run: RunFile): Promise<void> {
  await writeFileAtomic(runFilePath(dataDir), `${JSON.stringify(run, null, 2)}\n`);
}

/**
 * The owner's word, or null when the file is absent or unreadable as one. It outlives an owner that was killed:
 * whether one lives says `isDataDirectoryOwned`.
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

/** Takes the word back; fine when there is none. */
export async function removeRunFile(dataDir: string): Promise<void> {
  await rm(runFilePath(dataDir), { force: true });
}
