import { perServices, type Services } from "@/server/core/context";
import { claimFile } from "./claim";
import { notifyDueFiles } from "./due";
import { fetchFile, FETCH_LIMITS, type FetchLimits } from "./fetch-file";
import { removeGoneFiles } from "./remove-gone";
import { endClaim } from "./settle";

/** Maximum concurrent downloads of this process, and of one channel in it. */
const AT_ONCE_MAX = 16;
const OF_CHANNEL_MAX = 8;

/** Channels of the downloads in flight, once for each. */
const inFlightOf = perServices(() => ({ reserved: 0, channelIds: [] as string[] }));

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
  if (inFlight.reserved >= AT_ONCE_MAX || services.lifecycle.isStopping()) return;
  inFlight.reserved += 1;
  try {
    const file = await claimFile(services, fileId, busyChannels(inFlight.channelIds));
    if (file === null) return;
    inFlight.channelIds.push(file.channel.id);
    try {
      await fetchFile(services, file, limits);
    } finally {
      inFlight.channelIds.splice(inFlight.channelIds.indexOf(file.channel.id), 1);
      await endClaim(services, file);
    }
    await removeGoneFiles(services, file.organizationId);
  } finally {
    inFlight.reserved -= 1;
  }
  await notifyDueFiles(services);
}

function busyChannels(channelIds: readonly string[]): readonly string[] {
  const isBusy = (id: string) => channelIds.filter((other) => other === id).length >= OF_CHANNEL_MAX;
  return [...new Set(channelIds)].filter(isBusy);
}
