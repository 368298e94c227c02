import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { errorOf } from "@/server/domain/keys/testing";
import {
  asMember,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { setUploadQuota } from "@/server/domain/organizations/set-upload-quota";
import { createUpload } from "./create";
import { eraseUploads } from "./erase";
import { sweepUploads } from "./sweep";
import { fileOf, SAMPLES } from "./testing";

const SIZE = SAMPLES.png.length;

let world: TestWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => void (world = await openTestWorld()));
beforeEach(async () => void (ctx = await createTestOrganization(world.services)));
afterAll(() => world.close());

const upload = (as: Context = ctx, declaredBytes?: number) =>
  createUpload({ ctx: as, input: { file: fileOf(SAMPLES.png, { declaredBytes }) } });
const setQuota = (bytes: number) => setUploadQuota({ ctx, input: { bytes } });
const codeOf = async (work: Promise<unknown>) => (await errorOf(work))?.code ?? null;

/** Returns the organization's uploads: by its counter, by its rows, and as files. */
async function held() {
  const [row] = await world.database.sql<{ counted: number; stored: number; ids: string[] }[]>`
    select o.uploaded_bytes::float8 as counted, coalesce(sum(u.size), 0)::float8 as stored,
      coalesce(array_agg(u.id) filter (where u.id is not null), '{}') as ids
    from organizations o left join uploads u on u.organization_id = o.id and u.erased_at is null
    where o.id = ${ctx.actor.organizationId} group by o.id`;
  if (!row) throw new Error("There is no organization");
  return row;
}

const filesOnDisk = async () =>
  (await readdir(world.services.config.dataDir, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length;

test("is 10 GiB until it is set", async () => {
  const [row] = await world.database.sql<{ bytes: number }[]>`
    select upload_quota_bytes::float8 as bytes from organizations where id = ${ctx.actor.organizationId}`;
  expect(row?.bytes).toBe(10 * 1024 ** 3);
});

test("uploads up to the last byte of it are accepted, and one more leaves neither row nor file", async () => {
  await setQuota(2 * SIZE);
  await upload();
  await upload(ctx, SIZE);
  const before = await filesOnDisk();
  expect(await codeOf(upload())).toBe("upload_quota_exceeded");
  expect(await filesOnDisk()).toBe(before);
  expect(await held()).toMatchObject({ counted: 2 * SIZE, stored: 2 * SIZE });
  await setQuota(3 * SIZE - 1);
  expect(await codeOf(upload())).toBe("upload_quota_exceeded");
  await setQuota(3 * SIZE);
  await upload();
});

test("a file whose declared length is too much is refused before a byte of it is read", async () => {
  await setQuota(SIZE - 1);
  const chunks = () => {
    throw new Error("read");
  };
  const file = { ...fileOf([], { declaredBytes: SIZE }), chunks };
  expect(await codeOf(createUpload({ ctx, input: { file } }))).toBe("upload_quota_exceeded");
});

test("is exact however many come at once over two processes, and what is refused leaves no file", async () => {
  await setQuota(5 * SIZE);
  const before = await filesOnDisk();
  const other = { ...ctx, services: { ...world.services } };
  // Each process accepts eight of an organization concurrently; without a declared length all are read.
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => codeOf(upload(index % 2 === 0 ? ctx : other))),
  );
  expect(answers.filter((code) => code === null)).toHaveLength(5);
  expect(answers.filter((code) => code === "upload_quota_exceeded")).toHaveLength(11);
  expect(await held()).toMatchObject({ counted: 5 * SIZE, stored: 5 * SIZE });
  expect((await filesOnDisk()) - before).toBe(5);
});

describe("bytes are given back", () => {
  test("once, however often and at once an upload is erased", async () => {
    await setQuota(2 * SIZE);
    await upload();
    await upload();
    const [first = ""] = (await held()).ids;
    const erase = () => eraseUploads(world.services, ctx.actor.organizationId, [first]);
    await Promise.all([erase(), erase(), erase()]);
    await erase();
    expect(await held()).toMatchObject({ counted: SIZE, stored: SIZE });
    await upload();
    expect(await codeOf(upload())).toBe("upload_quota_exceeded");
  });

  test("when an upload has expired and is erased", async () => {
    await setQuota(SIZE);
    await upload();
    await world.database.sql`
      update uploads set expires_at = now() - interval '25 hours'
      where organization_id = ${ctx.actor.organizationId}`;
    await sweepUploads(world.services);
    expect(await held()).toMatchObject({ counted: 0, stored: 0 });
    await upload();
  });

  test("not by another organization, whose uploads count apart", async () => {
    await setQuota(SIZE);
    await upload();
    const other = await createTestOrganization(world.services);
    await eraseUploads(world.services, other.actor.organizationId, (await held()).ids);
    expect(await held()).toMatchObject({ counted: SIZE, stored: SIZE });
    await upload(other);
  });
});

describe("a wrong count", () => {
  const setCounter = (bytes: number) => world.database.sql`
    update organizations set uploaded_bytes = ${bytes} where id = ${ctx.actor.organizationId}`;

  test.each([0, 1000 * SIZE])("of %i bytes is corrected by the sweep", async (wrong) => {
    await upload();
    await upload();
    await eraseUploads(world.services, ctx.actor.organizationId, (await held()).ids.slice(0, 1));
    await setCounter(wrong);
    await sweepUploads(world.services);
    expect(await held()).toMatchObject({ counted: SIZE, stored: SIZE });
  });

  test("of an organization without uploads is corrected too", async () => {
    await setCounter(SIZE);
    await sweepUploads(world.services);
    expect(await held()).toMatchObject({ counted: 0 });
  });

  test("is corrected without losing uploads and an erasure that are under way", async () => {
    await upload();
    await upload();
    const [first = ""] = (await held()).ids;
    await setCounter(7);
    const { sql } = world.database;
    // They lock the organization's row, and commit only once the sweep waits for it.
    const connection = await sql.reserve();
    const services = { ...world.services, sql: connection };
    await connection`begin`;
    await upload({ ...ctx, services });
    await upload({ ...ctx, services });
    await eraseUploads(services, ctx.actor.organizationId, [first]);
    const swept = sweepUploads(world.services);
    await until("the sweep waits for the organization's row", async () => {
      const [waiting] = await sql`
        select from pg_locks l join pg_stat_activity a using (pid)
        where not l.granted and a.datname = current_database()`;
      return waiting !== undefined;
    });
    await connection`commit`;
    connection.release();
    await swept;
    expect(await held()).toMatchObject({ counted: 3 * SIZE, stored: 3 * SIZE });
  });
});

test("who set it is written down; an agent can't, and no nonsense can be", async () => {
  await setUploadQuota({ ctx: await asMember(ctx, "owner"), input: { bytes: 5 } });
  await setQuota(5);
  const rows = await world.database.sql`
    select actor_kind, detail from audit_log
    where subject_id = ${ctx.actor.organizationId} and action = 'organization.upload_quota_set'`;
  expect([...rows]).toEqual([{ actor_kind: "member", detail: { from: 10 * 1024 ** 3, to: 5 } }]);
  const agent = await asMember(ctx, "agent");
  expect(await codeOf(setUploadQuota({ ctx: agent, input: { bytes: 1 } }))).toBe("permission_denied");
  for (const bytes of [-1, 0.5, 2 ** 60]) expect(await codeOf(setQuota(bytes))).toBe("validation_failed");
});
