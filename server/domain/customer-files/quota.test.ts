import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { createUpload } from "@/server/domain/uploads/create";
import { sweepUploads } from "@/server/domain/uploads/sweep";
import { fileOf, SAMPLES } from "@/server/domain/uploads/testing";
import { fetchDueFile } from "./fetch";
import { openMessageFile } from "./open-file";
import {
  fileRow,
  makeDue,
  type MediaHost,
  openFilesOrganization,
  receiveFile,
  startMediaHost,
  unknownMedia,
  usedBytes,
} from "./testing";

const SIZE = SAMPLES.png.length;

let world: TestWorld;
let host: MediaHost;
let ctx: Context<SystemActor>;
let channelId: string;
beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
beforeEach(async () => {
  host = await startMediaHost();
  ({ ctx, channelId } = await openFilesOrganization(world, host));
  return () => host.close();
});
afterAll(() => world.close());

async function setQuota(bytes: number): Promise<void> {
  await world.database.sql`
    update organizations set upload_quota_bytes = ${bytes} where id = ${ctx.actor.organizationId}`;
}

const upload = () => createUpload({ ctx, input: { file: fileOf(SAMPLES.png) } });

async function fetchNext() {
  const received = await receiveFile(ctx, channelId);
  await fetchDueFile(ctx.services, received.fileId);
  return { ...received, row: await fileRow(ctx, received.fileId) };
}

test("customers' files take half of the quota at most, and leave the other half to uploads", async () => {
  await setQuota(4 * SIZE);
  expect((await fetchNext()).row.state).toBe("stored");
  expect((await fetchNext()).row.state).toBe("stored");
  const third = await fetchNext();
  expect(third.row).toMatchObject({ state: "pending", failure: expect.stringMatching(/quota/) });
  await upload();
  await upload();
  await expect(upload()).rejects.toMatchObject({ code: "upload_quota_exceeded" });
  expect(await usedBytes(ctx)).toBe(4 * SIZE);
  await setQuota(6 * SIZE);
  await makeDue(ctx, third.fileId);
  await fetchDueFile(ctx.services, third.fileId);
  expect(await fileRow(ctx, third.fileId)).toMatchObject({ state: "stored" });
});

test("uploads can use the whole quota, and a customer's file then waits", async () => {
  await setQuota(2 * SIZE);
  await upload();
  await upload();
  expect((await fetchNext()).row).toMatchObject({
    state: "pending",
    failure: expect.stringMatching(/quota/),
  });
});

test.each([
  { what: "Waypost's time for it is over", act: (id: string) => expire(id) },
  { what: "WhatsApp says that it has no such file", act: async () => host.describe(unknownMedia) },
])("a file without room is gone for that reason when $what", async ({ act }) => {
  await setQuota(0);
  const { fileId, messageId } = await fetchNext();
  await act(fileId);
  await makeDue(ctx, fileId);
  await fetchDueFile(ctx.services, fileId);
  expect(await fileRow(ctx, fileId)).toMatchObject({ state: "gone", goneReason: "no_room" });
  await expect(openMessageFile({ ctx, input: { id: messageId } })).rejects.toMatchObject({
    code: "media_gone",
    message: expect.stringMatching(/quota/),
  });
});

async function expire(fileId: string): Promise<void> {
  await world.database.sql`update customer_files set expires_at = now() where id = ${fileId}`;
}

test("the counter of customers' files is corrected", async () => {
  await fetchNext();
  const { organizationId } = ctx.actor;
  const { sql } = world.database;
  await sql`update organizations set customer_file_bytes = 0 where id = ${organizationId}`;
  await sweepUploads(ctx.services);
  const [row] = await sql`
    select customer_file_bytes::int as customers, uploaded_bytes::int as all from organizations
    where id = ${organizationId}`;
  expect(row).toEqual({ customers: SIZE, all: SIZE });
});
