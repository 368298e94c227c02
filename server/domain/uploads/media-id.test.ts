import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { CallableChannel } from "@/server/domain/channels/caller";
import type { Context, Services } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";
import { createUpload } from "./create";
import { ensureMediaId } from "./media-id";
import { fileOf, givingIds, type MediaUpstream, SAMPLES, startMediaUpstream } from "./testing";

let world: TestWorld;
let upstream: MediaUpstream;
let services: Services;
let ctx: Context<SystemActor>;
let channel: CallableChannel;
let uploadId: string;

beforeAll(async () => {
  world = await openTestWorld();
  upstream = await startMediaUpstream();
  services = servicesWith(world.services, { urls: { upstream: () => upstream.url } });
});
beforeEach(async () => {
  upstream.behave(givingIds);
  ctx = await createTestOrganization(services);
  channel = await newChannel();
  uploadId = await newUpload();
});
afterAll(async () => {
  await upstream.close();
  await world.close();
});

async function newChannel(): Promise<CallableChannel> {
  const id = await connectTestChannel(ctx);
  const [row] = await world.database.sql<CallableChannel[]>`
    select id, upstream, phone_number_id as "phoneNumberId", access_token_encrypted as "accessTokenEncrypted"
    from channels where id = ${id}`;
  if (!row) throw new Error("There is no channel");
  return row;
}

async function newUpload(): Promise<string> {
  const { storage_key } = await createUpload({ ctx, input: { file: fileOf(SAMPLES.png) } });
  const [row] = await world.database.sql<{ id: string }[]>`
    select id from uploads where storage_key = ${storage_key}`;
  return row?.id ?? "";
}

const ensure = (changes: Partial<Parameters<typeof ensureMediaId>[1]> = {}, over = services) =>
  ensureMediaId(over, { organizationId: ctx.actor.organizationId, uploadId, channel, ...changes });

/** Counts the calls that the work makes. */
async function callsOf(work: () => Promise<unknown>): Promise<number> {
  const before = upstream.uploads.length;
  await work();
  return upstream.uploads.length - before;
}

const retried = { kind: "failed", outcome: { kind: "retry" } };

describe("the upstream's id of an upload", () => {
  test("comes of handing the file up once, as the channel's number, and is reused", async () => {
    const first = await ensure();
    expect(first).toMatchObject({ kind: "ready" });
    expect(upstream.uploads.at(-1)).toMatchObject({
      path: expect.stringContaining(`/${channel.phoneNumberId}/media`),
      authorization: "Bearer test-access-token",
      file: { type: "image/png", bytes: SAMPLES.png },
    });
    expect(await callsOf(async () => expect(await ensure()).toEqual(first))).toBe(0);
  });

  test("is one call for all who want it at the same time", async () => {
    expect(
      await callsOf(async () => {
        const answers = await Promise.all(Array.from({ length: 20 }, () => ensure()));
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
      }),
    ).toBe(1);
  });

  test("is another one for another number", async () => {
    const other = await newChannel();
    expect(await callsOf(async () => [await ensure(), await ensure({ channel: other })])).toBe(2);
  });

  test("is renewed when it has expired", async () => {
    const first = await ensure();
    await world.database.sql`update upload_media set expires_at = now() where upload_id = ${uploadId}`;
    expect(await ensure()).not.toEqual(first);
  });

  test("ends a day before the upstream forgets it", async () => {
    await ensure();
    const [row] = await world.database.sql<{ days: number }[]>`
      select (extract(epoch from expires_at - now()) / 86400)::float8 as days
      from upload_media where upload_id = ${uploadId}`;
    expect(row?.days).toBeCloseTo(29, 2);
  });
});

describe("a file that isn't handed up", () => {
  test("is tried again after a failure, which is not kept", async () => {
    upstream.behave((res) => answerJson(res, 500, {}));
    expect(await ensure()).toMatchObject(retried);
    upstream.behave(givingIds);
    expect(await ensure()).toMatchObject({ kind: "ready" });
  });

  test("is tried again where no upstream, no file or no database is there, and nothing is called", async () => {
    const away = new Proxy(services.sql, { apply: () => Promise.reject(new Error("gone")) });
    const elsewhere = { ...services.uploads, find: () => Promise.resolve(null) };
    const lacking: Services[] = [
      servicesWith(services, { urls: { upstream: () => null } }),
      { ...services, uploads: elsewhere },
      { ...services, sql: away },
    ];
    expect(
      await callsOf(async () => {
        for (const over of lacking) expect(await ensure({}, over)).toMatchObject(retried);
        const unreadable = { ...channel, accessTokenEncrypted: "v1.x" };
        expect(await ensure({ channel: unreadable })).toMatchObject(retried);
      }),
    ).toBe(0);
  });

  test("fails for good once it is erased, and is never another organization's", async () => {
    const foreign = await createTestOrganization(services);
    const gone = { kind: "failed", outcome: { kind: "rejected", code: "invalid_media" } };
    expect(
      await callsOf(async () => {
        expect(await ensure({ organizationId: foreign.actor.organizationId })).toMatchObject(gone);
        await world.database.sql`update uploads set erased_at = now() where id = ${uploadId}`;
        expect(await ensure()).toMatchObject(gone);
      }),
    ).toBe(0);
  });

  test("fails for good where the upstream says so", async () => {
    upstream.behave((res) => answerJson(res, 400, { error: { code: 131053, message: "Too large" } }));
    expect(await ensure()).toMatchObject({ kind: "failed", outcome: { kind: "rejected" } });
  });
});
