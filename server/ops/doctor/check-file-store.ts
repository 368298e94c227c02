import { type BucketOperation, tryBucket } from "@/server/adapters/files/try-bucket";
import { fail, type Finding, ok } from "./finding";
import type { Installation } from "./installation";

const FAILURES: Readonly<Record<BucketOperation, string>> = {
  list: "can't be listed",
  write: "can't be written to",
  read: "can't be read",
  delete: "doesn't let files be deleted",
};

/**
 * Checks whether files in the bucket can be listed, written, read and deleted, with an empty object of its own. The
 * disk, where files are otherwise, has a check of its own.
 */
export async function checkFileStore({ config }: Pick<Installation, "config">): Promise<readonly Finding[]> {
  const { uploads } = config;
  if (uploads.kind === "disk") return [];
  const place = `the bucket ${uploads.bucket}${uploads.endpoint === null ? "" : ` at ${uploads.endpoint}`}`;
  const failed = await tryBucket(uploads);
  if (failed === null) return [ok("file store", `${place} can be read and written to`)];
  return [
    fail(
      "file store",
      `${place} ${FAILURES[failed.operation]}: ${reasonOf(failed.error)}`,
      "Check WAYPOST_UPLOADS and AWS's credentials. They need the permissions to list, read, write and delete.",
    ),
  ];
}

/** The service's name for the error, such as `NoSuchBucket`, or the system's code. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "an unknown error";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
