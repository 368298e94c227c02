import { openFilesMax } from "@/server/build/open-files.mjs";

/**
 * Files and connections (to the database, to WhatsApp and to webhooks) that a process opens in addition to those of its
 * clients.
 */
const OWN_FILES_MAX = 300;

/**
 * Returns the maximum number of client connections. It leaves enough of the system's open-file limit for the process
 * itself, which otherwise could neither send accepted messages nor read a page. Infinity if the limit isn't known.
 * @param limits the text of /proc/self/limits.
 */
export function connectionsMax(limits?: string): number {
  const filesMax = openFilesMax(limits);
  return Math.max(filesMax - OWN_FILES_MAX, Math.floor(filesMax / 2));
}
