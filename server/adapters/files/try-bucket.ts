import { randomUUID } from "node:crypto";
import { createS3, LIMITS, type Limits, type S3, type S3Config } from "./s3-client";

/** The permissions that a bucket for files needs. */
export type BucketOperation = "list" | "write" | "read" | "delete";

/**
 * Tries everything that Waypost does with a bucket, with an empty object of its own.
 * @returns the first operation that failed, and its error; null if none did.
 */
export async function tryBucket(
  config: S3Config,
  limits: Limits = LIMITS,
): Promise<{ readonly operation: BucketOperation; readonly error: unknown } | null> {
  const s3 = createS3(config, limits);
  const { bucket: Bucket, prefix: Prefix } = config;
  const object = { Bucket, Key: `${Prefix}check/${randomUUID()}` };
  const file = { Body: "", ContentLength: 0 };
  const steps: readonly (readonly [BucketOperation, Parameters<S3>[1]])[] = [
    [
      "list",
      ({ client, library, abortSignal }) =>
        client.send(new library.ListObjectsV2Command({ Bucket, Prefix, MaxKeys: 1 }), { abortSignal }),
    ],
    [
      "write",
      ({ client, library, abortSignal }) =>
        client.send(new library.PutObjectCommand({ ...object, ...file }), { abortSignal }),
    ],
    [
      "read",
      ({ client, library, abortSignal }) =>
        client.send(new library.HeadObjectCommand(object), { abortSignal }),
    ],
    [
      "delete",
      ({ client, library, abortSignal }) =>
        client.send(new library.DeleteObjectCommand(object), { abortSignal }),
    ],
  ];
  for (const [operation, step] of steps) {
    try {
      await s3(limits.callMs, step);
    } catch (error) {
      return { operation, error };
    }
  }
  return null;
}
