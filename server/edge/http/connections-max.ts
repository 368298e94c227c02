import { openFilesMax } from "@/server/build/open-files.mjs";

/** Files, and connections to the database, to WhatsApp and to webhooks, that a process opens beside those of its clients. */
const OWN_FILES_MAX = 300;

/**
 * As many connections of clients as leave enough of the open files that the system allows for the process's own: without
 * them it could neither send what it accepted nor read a page. Infinity if the limit isn't known.
 * @param limits the text of /proc/self/limits.
 */
export function connectionsMax(limits?: string): number {
  const filesMax = openFilesMax(limits);
  return Math.max(filesMax - OWN_FILES_MAX, Math.floor(filesMax / 2));
}
