import { describe, expect, test } from "vitest";
import { uploadsConfig, UPLOADS_VARIABLES } from "./uploads-config";

const { schema } = UPLOADS_VARIABLES.WAYPOST_UPLOADS;
const read = (text?: string) => uploadsConfig({ WAYPOST_UPLOADS: schema.parse(text) });

describe("the store of files", () => {
  test("is the disk by default", () => {
    expect(read()).toEqual({ kind: "disk" });
  });

  test.each([
    ["s3://files", { bucket: "files", prefix: "", endpoint: null, region: "us-east-1" }],
    ["s3://files/", { bucket: "files", prefix: "", endpoint: null, region: "us-east-1" }],
    [
      "s3://my.files/a/b?endpoint=http://127.0.0.1:9000&region=eu-central-1",
      { bucket: "my.files", prefix: "a/b/", endpoint: "http://127.0.0.1:9000", region: "eu-central-1" },
    ],
  ])("is the bucket of %s", (text, expected) => {
    expect(read(text)).toEqual({ kind: "s3", ...expected });
  });

  test.each([
    "files",
    "https://files/",
    "s3://",
    "s3://F",
    "s3://key:secret@files",
    "s3://files?endpoint=ftp://x",
    "s3://files?endpoint=x",
    "s3://files?regoin=eu",
    "s3://files?region=a&region=b",
    "s3://files/a%20b",
  ])("isn't %s", (text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});
