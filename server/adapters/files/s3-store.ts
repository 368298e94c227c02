import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import type { Logger } from "pino";
import { logThrottleOf } from "@/server/lib/log-throttle";
import { withinTime } from "@/server/lib/time-limit";
import { WaypostError } from "@/server/platform/errors";
import { type Library, LIMITS, type Limits, type S3, TRIES_MAX } from "./s3-client";
import { RETRY_AFTER_SECONDS, type Staging, type WrittenFile } from "./staging";
import { type FileStore, isId, requireId } from "./store";

/** Before the second try of a PUT, and twice as long before the third. */
const RETRY_AFTER_MS = 200;

interface S3StoreOptions {
  readonly bucket: string;
  readonly prefix: string;
  readonly log: Logger;
  readonly limits?: Limits;
}

/**
 * Creates a store of files in a bucket, below a prefix of its own. A file is written to this machine's disk first, so
 * that its length and hash are known, and then sent by one request: it is there whole, or not at all.
 */
export function createS3Store(
  s3: S3,
  staging: Staging,
  { bucket: Bucket, prefix, log, limits = LIMITS }: S3StoreOptions,
): FileStore {
  const keyOf = (id: string) => prefix + requireId(id);
  /** Logs the bucket's error once a minute for each operation, and replaces it by one of the catalogue. */
  const failed =
    (operation: string) =>
    (error: unknown): never => {
      const suppressed = logThrottleOf(log)(`bucket ${operation}`);
      if (suppressed !== null)
        log.error({ err: error, operation, suppressed }, "the bucket for files failed");
      throw unavailable(error);
    };
  return {
    async stage(chunks, bytesMax) {
      const written = await staging.write(chunks, bytesMax);
      return {
        ...written,
        keep: (id) => put(s3, { Bucket, Key: keyOf(id) }, written, limits).catch(failed("write")),
        discard: () => rm(written.path, { force: true }),
      };
    },
    async find(id) {
      const object = { Bucket, Key: keyOf(id) };
      const size = await sizeOf(s3, object, limits).catch(failed("read"));
      return size === null ? null : { size, read: () => read(s3, object, limits, failed("read")) };
    },
    remove: (id) => remove(s3, { Bucket, Key: keyOf(id) }, limits).catch(failed("delete")),
    ids: () => listIds(s3, { Bucket, Prefix: prefix }, limits),
    async requireWritable() {
      await staging.requireWritable();
      await s3(limits.callMs, async ({ client, library, abortSignal }) => {
        await client.send(new library.HeadBucketCommand({ Bucket }), { abortSignal });
      });
    },
    removeAbandoned: () => staging.removeAbandoned(),
  };
}

/** The library doesn't repeat a request whose body is a stream: each try gets its own. */
async function put(s3: S3, object: StoredObject, file: WrittenFile, { putMs }: Limits): Promise<void> {
  await s3(putMs, async ({ client, library, abortSignal }) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await putOnce(client, library, { object, file, abortSignal });
      } catch (error) {
        if (tries === TRIES_MAX || abortSignal.aborted || !isTransient(error)) throw error;
        await wait(RETRY_AFTER_MS * tries, undefined, { signal: abortSignal });
      }
    }
  });
}

async function putOnce(
  client: S3Client,
  library: Library,
  { object, file, abortSignal }: { object: StoredObject; file: WrittenFile; abortSignal: AbortSignal },
): Promise<void> {
  const { path, size, sha256 } = file;
  const body = createReadStream(path);
  const broken = new Promise<never>((_, reject) => body.once("error", reject));
  broken.catch(() => undefined);
  try {
    const command = new library.PutObjectCommand({
      ...object,
      Body: size === 0 ? "" : body,
      ContentLength: size,
      ContentType: "application/octet-stream",
      ChecksumSHA256: Buffer.from(sha256, "hex").toString("base64"),
    });
    await Promise.race([client.send(command, { abortSignal }), broken]);
  } finally {
    // The library leaves it open after a failure.
    body.destroy();
  }
}

const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;

/** Returns true for an error without a response, and for one that says that the service itself failed. */
function isTransient(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status >= SERVER_ERROR || status === TOO_MANY_REQUESTS;
}

interface StoredObject {
  readonly Bucket: string;
  readonly Key: string;
}

async function remove(s3: S3, object: StoredObject, { callMs }: Limits): Promise<void> {
  await s3(callMs, ({ client, library, abortSignal }) =>
    client.send(new library.DeleteObjectCommand(object), { abortSignal }),
  );
}

async function* listIds(
  s3: S3,
  below: { Bucket: string; Prefix: string },
  { callMs }: Limits,
): AsyncGenerator<string> {
  for (let token: string | undefined, isMore = true; isMore; isMore = token !== undefined) {
    const page = await s3(callMs, ({ client, library, abortSignal }) =>
      client.send(new library.ListObjectsV2Command({ ...below, ContinuationToken: token }), { abortSignal }),
    );
    for (const { Key = "" } of page.Contents ?? []) {
      const id = Key.slice(below.Prefix.length);
      if (isId(id)) yield id;
    }
    token = page.IsTruncated ? page.NextContinuationToken : undefined;
  }
}

/** Returns the size of an object; null if there is none. */
async function sizeOf(s3: S3, object: StoredObject, { callMs }: Limits): Promise<number | null> {
  const found = await s3(callMs, ({ client, library, abortSignal }) =>
    client.send(new library.HeadObjectCommand(object), { abortSignal }),
  ).catch(absent);
  return found && (found.ContentLength ?? 0);
}

/** Comes as fast as it is read. Time limits only run while somebody waits for the next bytes. */
async function* read(
  s3: S3,
  object: StoredObject,
  { callMs, stallMs }: Limits,
  failed: (error: unknown) => never,
): AsyncGenerator<Uint8Array> {
  const body = await open(s3, object, callMs).catch(failed);
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await withinTime(chunks.next(), stallMs).catch(failed);
      if (next.done) return;
      yield next.value;
    }
  } finally {
    body.destroy();
  }
}

async function open(s3: S3, object: StoredObject, callMs: number): Promise<Readable> {
  const { Body } = await s3(callMs, ({ client, library, abortSignal }) =>
    client.send(new library.GetObjectCommand(object), { abortSignal }),
  );
  if (!(Body instanceof Readable)) throw new Error("The store answered without a body");
  return Body;
}

const NOT_FOUND = 404;

/** Returns null for the error of an object that doesn't exist. @throws any other error. */
function absent(error: unknown): null {
  if (statusOf(error) === NOT_FOUND && Object(error).name !== "NoSuchBucket") return null;
  throw error;
}

/** The status of the response that the error is about. Undefined without a response. */
function statusOf(error: unknown): number | undefined {
  const { httpStatusCode } = Object(Object(error).$metadata);
  return typeof httpStatusCode === "number" ? httpStatusCode : undefined;
}

function unavailable(cause: unknown): WaypostError {
  return new WaypostError("unavailable", {
    message: "The store for files doesn't answer, or refuses.",
    cause,
    headers: { "Retry-After": RETRY_AFTER_SECONDS },
  });
}
