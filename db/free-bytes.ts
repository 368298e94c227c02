import { statfs } from "node:fs/promises";

/** Returns the free space, for users other than root, of the disk that contains the directory. */
export async function freeBytesOf(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}
