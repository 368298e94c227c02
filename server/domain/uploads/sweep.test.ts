import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newId } from "@/db/schema";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { createUpload } from "./create";
import { eraseUploads } from "./erase";
import { sweepUploads } from "./sweep";
import { fileOf, SAMPLES } from "./testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
let uploadId: string;

beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  uploadId = await newUpload();
});
afterAll(() => world.close());

async function newUpload(): Promise<string> {
  const file = fileOf(SAMPLES.pdf, { filename: "Offer.pdf" });
  const { storage_key } = await createUpload({ ctx, input: { file } });
  const [row] = await world.database.sql<{ id: string }[]>`
    select id from uploads where storage_key = ${storage_key}`;
  return row?.id ?? "";
}

const sweep = () => sweepUploads(world.services);

const isOnDisk = async (id: string) => (await world.services.uploads.find(id)) !== null;
const rowOf = async (id: string) => {
  const [row] = await world.database.sql<{ filename: string | null; isErased: boolean; mediaIds: number }[]>`
    select filename, erased_at is not null as "isErased",
      (select count(*)::int from upload_media m where m.upload_id = u.id) as "mediaIds"
    from uploads u where id = ${id}`;
  return row;
};
const expire = (id: string, hoursAgo: number) =>
  world.database
    .sql`update uploads set expires_at = now() - make_interval(hours => ${hoursAgo}) where id = ${id}`;

const LIVE = { filename: "Offer.pdf", isErased: false, mediaIds: 0 };
const ERASED = { filename: null, isErased: true, mediaIds: 0 };

describe("erasing an upload", () => {
  test("takes its bytes, its name and the upstream's ids, and leaves its row; twice as once", async () => {
    const channelId = await connectTestChannel(ctx);
    const { organizationId } = ctx.actor;
    await world.database.sql`
      insert into upload_media (id, organization_id, upload_id, channel_id, media_id, expires_at)
      values (${newId()}, ${organizationId}, ${uploadId}, ${channelId}, 'media-1', now() + interval '1 day')`;
    for (let times = 0; times < 2; times++) {
      await eraseUploads(world.services, organizationId, [uploadId]);
      expect(await rowOf(uploadId)).toEqual(ERASED);
      expect(await isOnDisk(uploadId)).toBe(false);
    }
  });

  test("leaves only its bytes to the sweep if the store can't remove them", async () => {
    const remove = () => Promise.reject(new Error("AccessDenied"));
    const services = servicesWith(world.services, { uploads: { ...world.services.uploads, remove } });
    await eraseUploads(services, ctx.actor.organizationId, [uploadId]);
    expect(await rowOf(uploadId)).toEqual(ERASED);
    expect(await isOnDisk(uploadId)).toBe(true);
    await sweep();
    expect(await isOnDisk(uploadId)).toBe(false);
  });

  test("leaves another organization's alone", async () => {
    const foreign = await createTestOrganization(world.services);
    await eraseUploads(world.services, foreign.actor.organizationId, [uploadId]);
    expect(await rowOf(uploadId)).toEqual(LIVE);
    expect(await isOnDisk(uploadId)).toBe(true);
  });
});

describe("the sweep", () => {
  test("erases what has expired a day ago, and not what messages in the queue may still need", async () => {
    const recent = await newUpload();
    await Promise.all([expire(uploadId, 25), expire(recent, 23)]);
    await sweep();
    expect(await rowOf(uploadId)).toEqual(ERASED);
    expect(await isOnDisk(uploadId)).toBe(false);
    expect(await rowOf(recent)).toEqual(LIVE);
    expect(await isOnDisk(recent)).toBe(true);
  });

  test("removes files that were erased elsewhere, and old ones without a row, but none that it just doesn't know", async () => {
    const keep = async (id: string) => {
      const staged = await world.services.uploads.stage(fileOf(SAMPLES.pdf).chunks(), 1_000_000);
      await staged.keep(id);
      return id;
    };
    const unknown = await keep(newId());
    const old = await keep(newId(Date.now() - 34 * 24 * 60 * 60_000));
    await world.database.sql`update uploads set erased_at = now() where id = ${uploadId}`;
    await sweep();
    expect(await isOnDisk(uploadId)).toBe(false);
    expect(await isOnDisk(old)).toBe(false);
    expect(await isOnDisk(unknown)).toBe(true);
  });

  test("that fails is logged, and harms nobody", async () => {
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(world.services.log), {
      error: (fault: unknown) => errors.push(fault),
    });
    const sql = new Proxy(world.services.sql, { apply: () => Promise.reject(new Error("gone")) });
    await sweepUploads({ ...world.services, sql, log });
    expect(errors).toHaveLength(1);
  });
});
