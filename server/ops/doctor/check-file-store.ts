import { openFileStores } from "@/server/adapters/files/open-stores";
import { fail, type Finding, ok } from "./finding";
import type { Installation } from "./installation";

/** Checks whether the bucket for files can be listed. The disk, where they are otherwise, has a check of its own. */
export async function checkFileStore({ config }: Pick<Installation, "config">): Promise<readonly Finding[]> {
  const { uploads, dataDir } = config;
  if (uploads.kind === "disk") return [];
  const place = `the bucket ${uploads.bucket}${uploads.endpoint === null ? "" : ` at ${uploads.endpoint}`}`;
  try {
    await openFileStores(uploads, dataDir).customerFiles.ids()[Symbol.asyncIterator]().next();
    return [ok("file store", `${place} can be read`)];
  } catch (error) {
    return [
      fail(
        "file store",
        `${place} can't be read: ${reasonOf(error)}`,
        "Check WAYPOST_UPLOADS and AWS's credentials. They need the permissions to list, read, write and delete.",
      ),
    ];
  }
}

/** The service's name for the error, such as `NoSuchBucket`, or the system's code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
