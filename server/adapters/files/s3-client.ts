import type { S3Client } from "@aws-sdk/client-s3";
import { whileWanted } from "@/server/lib/bounded-call";
import type { UploadsConfig } from "@/server/platform/uploads-config";

export type S3Config = Extract<UploadsConfig, { kind: "s3" }>;

export interface Limits {
  /** For connecting, and for the next bytes of a file that somebody waits for. */
  readonly stallMs: number;
  /** For storing one file, with its repetitions. */
  readonly putMs: number;
  /** For any other call, with its repetitions. */
  readonly callMs: number;
}

/** 100 MiB in the time for one file is 7 Mbit/s. */
export const LIMITS: Limits = { stallMs: 20_000, putMs: 120_000, callMs: 30_000 };
export const TRIES_MAX = 3;

/** The library, loaded with the first call, so that other installations don't wait for it at their start. */
const load = () => import("@aws-sdk/client-s3");
export type Library = Awaited<ReturnType<typeof load>>;

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
      // A silent socket isn't a fault: the reader of a file may be slow. Each call has its own limit.
      requestHandler: { connectionTimeout: stallMs, socketTimeout: 0, requestTimeout: 0 },
      // Without one, the library prints text that isn't JSON. What fails is logged by the store.
      logger: SILENT,
    });
    return { client, library };
  };
  return async (timeoutMs, call) => {
    const parts = await (made ??= make());
    return whileWanted({ timeoutMs }, (abortSignal) => call({ ...parts, abortSignal }));
  };
}

const nothing = () => undefined;
const SILENT = { debug: nothing, info: nothing, warn: nothing, error: nothing };
