import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startS3 } from "@/server/adapters/files/testing";
import { serveOnLoopback } from "@/server/edge/http/testing";
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

test("a bucket that can be listed, written, read and deleted from is fine, and nothing stays in it", async () => {
  const endpoint = server.config.endpoint ?? "";
  expect(await of(`s3://files/below?endpoint=${endpoint}`)).toEqual([
    {
      what: "file store",
      state: "ok",
      seen: `the bucket files at ${endpoint} can be read and written to`,
      remedy: null,
    },
  ]);
  const left = await readdir(server.directory, { recursive: true });
  expect(left.filter((name) => name.includes("check"))).toEqual([]);
});

test.each([
  { method: "GET", seen: "can't be listed" },
  { method: "PUT", seen: "can't be written to" },
  { method: "HEAD", seen: "can't be read" },
  { method: "DELETE", seen: "doesn't let files be deleted" },
])("a bucket without the permission for $method fails, and says so", async ({ method, seen }) => {
  const refusing = await serveOnLoopback((req, res) => {
    if (req.method === method) res.writeHead(403);
    else res.setHeader("content-type", "application/xml");
    res.end(req.method === "GET" ? "<ListBucketResult/>" : "");
  });
  expect(await of(`s3://files?endpoint=${refusing.url}`)).toMatchObject([
    { state: "fail", seen: expect.stringContaining(seen) },
  ]);
  await refusing.close();
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
