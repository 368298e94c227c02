import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startS3 } from "@/server/adapters/files/testing";
import { freePort } from "@/e2e/support/free-port";
import { readConfig } from "@/server/platform/config";
import { checkFileStore } from "./check-file-store";

let server: Awaited<ReturnType<typeof startS3>>;
beforeAll(async () => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "S3RVER");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "S3RVER");
  server = await startS3();
});
afterAll(async () => {
  await server.close();
  vi.unstubAllEnvs();
});

const of = (uploads: string | undefined) =>
  checkFileStore({
    config: readConfig(
      { NODE_ENV: "test", WAYPOST_DATA_DIR: server.directory, WAYPOST_UPLOADS: uploads },
      "/",
    ),
  });

test("files on the disk need no check of their own", async () => {
  expect(await of(undefined)).toEqual([]);
});

test("a bucket that can be listed is fine", async () => {
  const endpoint = server.config.endpoint ?? "";
  expect(await of(`s3://files?endpoint=${endpoint}`)).toEqual([
    { what: "file store", state: "ok", seen: `the bucket files at ${endpoint} can be read`, remedy: null },
  ]);
});

test("a bucket that doesn't exist, and a service that doesn't answer, fail", async () => {
  const endpoint = server.config.endpoint ?? "";
  expect(await of(`s3://other?endpoint=${endpoint}`)).toMatchObject([
    { state: "fail", seen: expect.stringContaining("the bucket other") },
  ]);
  expect(await of(`s3://files?endpoint=http://127.0.0.1:${await freePort()}`)).toMatchObject([
    { state: "fail", seen: expect.stringContaining("ECONNREFUSED") },
  ]);
});
