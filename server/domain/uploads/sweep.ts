import type { Services } from "@/server/core/context";
import { erasedOf, expiredUploads } from "./claim";
import { UPLOAD_KEPT_DAYS } from "./create";
import { eraseUploads } from "./erase";
import { recountUploads } from "./recount";

const BATCH_MAX = 500;
const DAY_MS = 24 * 60 * 60_000;
/** Nobody needs a file this old, whatever the database says. Two days are a margin for clock differences. */
const FILE_KEPT_MS = (UPLOAD_KEPT_DAYS + 3) * DAY_MS;

/**
 * Erases expired uploads, and removes files that nothing needs: remains of crashed uploads, files erased via another
 * machine, files without a row. A file is never removed only because this database doesn't know it: it may belong to
 * another one. Corrects wrong byte counters. Never throws.
 */
export async function sweepUploads(services: Services): Promise<void> {
  try {
    await eraseExpired(services);
    await services.uploads.removeAbandoned();
    await removeUnneeded(services);
    await recountUploads(services);
  } catch (error) {
    services.log.error({ err: error }, "uploads could not be swept");
  }
}

async function eraseExpired(services: Services): Promise<void> {
  for (;;) {
    const expired = await expiredUploads(services.sql, BATCH_MAX);
    for (const { organizationId, id } of expired) await eraseUploads(services, organizationId, [id]);
    if (expired.length < BATCH_MAX) return;
  }
}

async function removeUnneeded(services: Services): Promise<void> {
  let batch: string[] = [];
  const removeOf = async (ids: readonly string[]) => {
    const old = ids.filter((id) => Date.now() - madeAtMs(id) > FILE_KEPT_MS);
    for (const id of [...old, ...(await erasedOf(services.sql, ids))]) await services.uploads.remove(id);
  };
  for await (const id of services.uploads.ids()) {
    batch.push(id);
    if (batch.length < BATCH_MAX) continue;
    await removeOf(batch);
    batch = [];
  }
  await removeOf(batch);
}

/** A UUIDv7 starts with its creation time in Unix milliseconds. */
function madeAtMs(id: string): number {
  return Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
}
