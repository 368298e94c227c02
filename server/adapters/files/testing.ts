import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import S3rver from "s3rver";
import type { S3Config } from "./s3-client";

/** A real S3-compatible server with one bucket, and a directory for its bytes. Its credentials are both `S3RVER`. */
export async function startS3() {
  const directory = await mkdtemp(path.join(tmpdir(), "waypost-s3-"));
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory: path.join(directory, "s3"),
    configureBuckets: [{ name: "files", configs: [] }],
  });
  const { port } = await server.run();
  const config: S3Config = {
    kind: "s3",
    bucket: "files",
    prefix: "waypost/",
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
  };
  return {
    config,
    directory,
    async close() {
      await server.close();
      await rm(directory, { recursive: true });
    },
  };
}
