import { statfs } from "node:fs/promises";

/** What users other than root may fill of the disk that the directory is on. */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
