import { lstat, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import { systemCodeOf } from "@/server/lib/error-causes";
import { isUuid } from "@/server/lib/uuid";

/** An endpoint that a listener created. */
export interface Noted {
  readonly endpointId: string;
  readonly organizationId: string;
}

/**
 * Notes about endpoints that this person's listeners on this machine have created and not yet removed. No method
 * throws, because a listener works without notes, too.
 */
export interface Notes {
  add(noted: Noted): Promise<void>;
  remove(endpointId: string): Promise<void>;
  /** Endpoints of the organization whose listeners were killed: their processes no longer exist. */
  left(organizationId: string): Promise<readonly string[]>;
}

const noteSchema = z.object({ organizationId: z.string(), host: z.string(), pid: z.int().positive() });

/** Opens notes that are stored as files. A directory is only trusted if no other user can write to it. */
export function openNotes(directory: string = ownDirectory()): Notes {
  const fileOf = (endpointId: string) => path.join(directory, endpointId);
  return {
    async add({ endpointId, organizationId }) {
      const note: z.input<typeof noteSchema> = { organizationId, host: hostname(), pid: process.pid };
      await mkdir(directory, { mode: 0o700 }).catch(nothing);
      if (await isOurs(directory)) await writeFile(fileOf(endpointId), JSON.stringify(note)).catch(nothing);
    },
    async remove(endpointId) {
      await rm(fileOf(endpointId), { force: true }).catch(nothing);
    },
    async left(organizationId) {
      if (!(await isOurs(directory))) return [];
      const left: string[] = [];
      for (const name of await readdir(directory).catch(() => [])) {
        const note = isUuid(name) ? await readNote(fileOf(name)) : null;
        if (note?.organizationId !== organizationId || note.host !== hostname()) continue;
        if (!isRunning(note.pid)) left.push(name);
      }
      return left;
    },
  };
}

const ownDirectory = () => path.join(tmpdir(), `waypost-listen-${process.getuid?.() ?? "own"}`);

const nothing = () => undefined;

/** Every user can write to the directory for temporary files. */
async function isOurs(directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => null);
  if (!found?.isDirectory()) return false;
  const own = process.getuid?.();
  return own === undefined || (found.uid === own && (found.mode & 0o077) === 0);
}

async function readNote(file: string): Promise<z.output<typeof noteSchema> | null> {
  try {
    return noteSchema.parse(JSON.parse(await readFile(file, "utf8")));
  } catch {
    return null;
  }
}

/** If another process has the number now, it is mistaken for the listener, and the endpoint stays a while longer. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) !== "ESRCH";
  }
}
