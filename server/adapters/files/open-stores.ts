import path from "node:path";
import type { Logger } from "pino";
import type { UploadsConfig } from "@/server/platform/uploads-config";
import { createS3 } from "./s3-client";
import { createS3Store } from "./s3-store";
import { createStaging } from "./staging";
import { createFileStores, type FileStores } from "./store";

/** Creates the stores that the configuration names. Nothing is called before the first file. */
export function openFileStores(uploads: UploadsConfig, dataDir: string, log: Logger): FileStores {
  const directory = path.join(dataDir, "uploads");
  if (uploads.kind === "disk") return createFileStores(directory);
  const staging = createStaging(path.join(directory, "incoming"));
  const s3 = createS3(uploads);
  const below = (folder: string) => ({
    bucket: uploads.bucket,
    prefix: `${uploads.prefix}${folder}/`,
    log,
  });
  return {
    uploads: createS3Store(s3, staging, below("uploads")),
    customerFiles: createS3Store(s3, staging, below("customer-files")),
  };
}
