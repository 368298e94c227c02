import { constants } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { freeBytesOf } from "@/db/free-bytes";
import { fail, type Finding, ok, warn } from "./finding";
import type { Installation } from "./installation";

const MIB = 1024 * 1024;
const FREE_WARN_BYTES = 2048 * MIB;
const FREE_FAIL_BYTES = 256 * MIB;

/** Checks whether the data directory, and the database's if it is elsewhere, is writable and has enough space. */
export async function checkDisk(
  { config, databaseDirectory }: Pick<Installation, "config" | "databaseDirectory">,
  freeBytes: (directory: string) => Promise<number> = freeBytesOf,
): Promise<readonly Finding[]> {
  const { dataDir } = config;
  const findings = [await examine("data directory", dataDir, freeBytes)];
  if (databaseDirectory !== null && path.relative(dataDir, databaseDirectory).startsWith("..")) {
    findings.push(await room("database directory", databaseDirectory, freeBytes));
  }
  return findings;
}

async function examine(
  what: string,
  directory: string,
  freeBytes: (directory: string) => Promise<number>,
): Promise<Finding> {
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    if (code === "ENOENT") return warn(what, `${directory} doesn't exist yet`, "The first start creates it.");
    return fail(
      what,
      `${directory} can't be used (${code})`,
      "Give Waypost's user permission to read and write it.",
    );
  }
  return room(what, directory, freeBytes);
}

async function room(
  what: string,
  directory: string,
  freeBytes: (directory: string) => Promise<number>,
): Promise<Finding> {
  const free = await freeBytes(directory);
  const seen = `${directory} has ${sizeOf(free)} of free space`;
  const remedy =
    "Free some space or move the directory to a larger disk. PostgreSQL stops when the disk is full.";
  if (free < FREE_FAIL_BYTES) return fail(what, seen, remedy);
  return free < FREE_WARN_BYTES ? warn(what, seen, remedy) : ok(what, seen);
}

function sizeOf(bytes: number): string {
  const mib = bytes / MIB;
  return mib >= 1024 ? `${(mib / 1024).toFixed(1)} GiB` : `${Math.floor(mib)} MiB`;
}
