import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import type { UploadsConfig } from "@/server/platform/uploads-config";
import { noRoom, type Staging, type WrittenFile } from "./staging";
import { type FileStore, isId, requireId } from "./store";

export type S3Config = Extract<UploadsConfig, { kind: "s3" }>;

interface Limits {
  /** For connecting, and for each pause of a response. */
  readonly stallMs: number;
  /** For storing one file, with its repetitions. */
  readonly putMs: number;
  /** For any other call, with its repetitions. */
  readonly callMs: number;
}

/** 100 MiB in the time for one file is 7 Mbit/s. */
const LIMITS: Limits = { stallMs: 20_000, putMs: 120_000, callMs: 30_000 };
const TRIES_MAX = 3;

/** The library, loaded with the first call, so that other installations don't wait for it at their start. */
const load = () => import("@aws-sdk/client-s3");
type Library = Awaited<ReturnType<typeof load>>;

/** A client of an S3-compatible service, made with the first call. */
export type S3 = <T>(
  timeoutMs: number,
  call: (parts: { client: S3Client; library: Library; abortSignal: AbortSignal }) => Promise<T>,
) => Promise<T>;

/** @returns a function that makes one call within a time limit, with all its repetitions. */
export function createS3({ endpoint, region }: S3Config, { stallMs }: Limits = LIMITS): S3 {
  let made: Promise<{ client: S3Client; library: Library }> | undefined;
  const make = async () => {
    const library = await load();
    const client = new library.S3Client({
      region,
      ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
      maxAttempts: TRIES_MAX,
      // Services other than AWS's needn't know the newer checksums. A PUT has the SHA-256 of its bytes.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
      requestHandler: { connectionTimeout: stallMs, socketTimeout: stallMs, requestTimeout: 0 },
    });
    return { client, library };
  };
  return async (timeoutMs, call) =>
    call({ ...(await (made ??= make())), abortSignal: AbortSignal.timeout(timeoutMs) });
}

/**
 * Creates a store of files in a bucket, below a prefix of its own. A file is written to this machine's disk first, so
 * that its length and hash are known, and then sent by one request: it is there whole, or not at all.
 */
export function createS3Store(
  s3: S3,
  staging: Staging,
  { bucket: Bucket, prefix, limits = LIMITS }: { bucket: string; prefix: string; limits?: Limits },
): FileStore {
  const keyOf = (id: string) => prefix + requireId(id);
  return {
    async stage(chunks, bytesMax) {
      const written = await staging.write(chunks, bytesMax);
      return {
        ...written,
        keep: (id) => put(s3, { Bucket, Key: keyOf(id) }, written, limits).catch(unavailable),
        discard: () => rm(written.path, { force: true }),
      };
    },
    find: (id) => find(s3, { Bucket, Key: keyOf(id) }, limits),
    remove: (id) =>
      s3(limits.callMs, async ({ client, library, abortSignal }) => {
        await client.send(new library.DeleteObjectCommand({ Bucket, Key: keyOf(id) }), { abortSignal });
      }),
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

async function put(
  s3: S3,
  object: { Bucket: string; Key: string },
  { path, size, sha256 }: WrittenFile,
  { putMs }: Limits,
): Promise<void> {
  await s3(putMs, async ({ client, library, abortSignal }) => {
    const command = new library.PutObjectCommand({
      ...object,
      Body: size === 0 ? "" : createReadStream(path),
      ContentLength: size,
      ContentType: "application/octet-stream",
      ChecksumSHA256: Buffer.from(sha256, "hex").toString("base64"),
    });
    await client.send(command, { abortSignal });
  });
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

async function find(
  s3: S3,
  object: { Bucket: string; Key: string },
  { callMs }: Limits,
): ReturnType<FileStore["find"]> {
  const found = await s3(callMs, ({ client, library, abortSignal }) =>
    client.send(new library.HeadObjectCommand(object), { abortSignal }),
  ).catch(absent);
  if (found === null) return null;
  return { size: found.ContentLength ?? 0, read: () => read(s3, object, callMs) };
}

/** Comes as fast as it is read. A pause of the service that is longer than `stallMs` breaks it. */
async function* read(
  s3: S3,
  object: { Bucket: string; Key: string },
  callMs: number,
): AsyncGenerator<Uint8Array> {
  const { Body } = await s3(callMs, ({ client, library }) =>
    client.send(new library.GetObjectCommand(object)),
  );
  if (Body === undefined) throw new Error("The store answered without a body");
  for await (const chunk of asChunks(Body)) yield chunk;
}

/** Guarantee: with Node, the library's bodies are readable streams of bytes. */
function asChunks(body: object): AsyncIterable<Uint8Array> {
  return body as AsyncIterable<Uint8Array>;
}

const NOT_FOUND = 404;

/** Returns null for the error of an object that doesn't exist. @throws any other error. */
function absent(error: unknown): null {
  const { httpStatusCode } = Object(Object(error).$metadata);
  if (httpStatusCode === NOT_FOUND && Object(error).name !== "NoSuchBucket") return null;
  throw error;
}

/** The error for a file that can't be stored now. */
function unavailable(error: unknown): never {
  throw noRoom(error);
}
