import { expect, test } from "vitest";
import { openApi } from "@/e2e/support/api";
import { allowUploads, demo } from "@/e2e/support/cli";
import { askSharedServer } from "@/e2e/support/shared-server";

const FILE = Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1");
const ROOM = 5;
/** As many as two processes receive concurrently for one organization. */
const UPLOADS = 16;

test("uploads to two processes at once fill the quota to the last byte, and never more", async () => {
  const owner = await askSharedServer();
  const attached = await owner.secondProcess();
  const [first, second, organization] = await Promise.all([
    openApi(owner.baseUrl),
    openApi(attached.baseUrl),
    demo(owner),
  ]);
  const { secret: key } = organization.api_key;
  await allowUploads(owner, organization.organization_id, ROOM * FILE.length);
  const upload = (index: number) =>
    // Without a declared length, so that each file is received before it is refused.
    (index % 2 === 0 ? first : second).call({ path: "/uploads", key, raw: FILE, delivery: "chunked" });
  const answers = await Promise.all(Array.from({ length: UPLOADS }, (_, index) => upload(index)));
  const codes = answers.map(({ status, code }) => code ?? status);
  expect(codes.filter((code) => code === 201)).toHaveLength(ROOM);
  expect(codes.filter((code) => code === "upload_quota_exceeded")).toHaveLength(UPLOADS - ROOM);
  expect((await upload(0)).code).toBe("upload_quota_exceeded");
  await allowUploads(owner, organization.organization_id, FILE.length);
  expect((await upload(1)).status).toBe(201);
});
