import { perServices, type Services } from "@/server/core/context";
import { createSemaphore, type Semaphore } from "@/server/lib/semaphore";
import { type ClaimedFile, claimFile, dueFiles, OF_CHANNEL_MAX } from "./claim";
import { fetchFile, FETCH_LIMITS, type FetchLimits } from "./fetch-file";
import { removeGoneFiles } from "./remove-gone";
import { endClaim } from "./settle";

/** Maximum concurrent downloads of this process. */
const AT_ONCE_MAX = 16;

interface InFlight {
  downloads: number;
  /** The channel of each download. */
  readonly channelIds: string[];
  readonly claims: Semaphore;
}

const inFlightOf = perServices((): InFlight => ({
  downloads: 0,
  channelIds: [],
  claims: createSemaphore(1),
}));

/**
 * Fetches a file that a customer sent, if it is due: it is downloaded and stored, or due again later, or gone. While
 * this process downloads too many, the file waits for the next notification. Then it notifies other due files.
 */
export async function fetchDueFile(
  services: Services,
  fileId: string,
  limits: FetchLimits = FETCH_LIMITS,
): Promise<void> {
  const inFlight = inFlightOf(services);
  if (inFlight.downloads >= AT_ONCE_MAX || services.lifecycle.isStopping()) return;
  inFlight.downloads += 1;
  try {
    const file = await claim(services, fileId, inFlight);
    if (file === null) return;
    try {
      await fetchFile(services, file, limits);
    } finally {
      inFlight.channelIds.splice(inFlight.channelIds.indexOf(file.channel.id), 1);
      await endClaim(services, file);
    }
    await removeGoneFiles(services, file.organizationId);
  } finally {
    inFlight.downloads -= 1;
  }
  await notifyDueFiles(services);
}

/** Notifies due files, as many as this process can download besides the running downloads. */
export async function notifyDueFiles(services: Services): Promise<void> {
  const { downloads, channelIds } = inFlightOf(services);
  const filesMax = AT_ONCE_MAX - downloads;
  if (filesMax === 0) return;
  for (const id of await dueFiles(services, { busy: channelIds, filesMax })) services.jobs.notifyFile(id);
}

/** One at a time, so that each sees the channels of those before it. */
function claim(
  services: Services,
  fileId: string,
  { claims, channelIds }: InFlight,
): Promise<ClaimedFile | null> {
  return claims.run(async () => {
    const file = await claimFile(services, fileId, busyChannels(channelIds));
    if (file !== null) channelIds.push(file.channel.id);
    return file;
  });
}

function busyChannels(channelIds: readonly string[]): readonly string[] {
  const isBusy = (id: string) => channelIds.filter((other) => other === id).length >= OF_CHANNEL_MAX;
  return [...new Set(channelIds)].filter(isBusy);
}
