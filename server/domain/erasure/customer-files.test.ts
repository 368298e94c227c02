import { readdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { fetchDueFile } from "@/server/domain/customer-files/fetch";
import { openMessageFile } from "@/server/domain/customer-files/open-file";
import { sweepCustomerFiles } from "@/server/domain/customer-files/remove-gone";
import {
  fileRow,
  givingBytes,
  type MediaHost,
  openFilesOrganization,
  receiveFile,
  startMediaHost,
  usedByCustomers,
  usedBytes,
} from "@/server/domain/customer-files/testing";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { enforceRetention } from "@/server/domain/retention/enforce";
import { sweepHourly } from "@/server/domain/sweep";
import { sweepUploads } from "@/server/domain/uploads/sweep";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { eraseContact } from "./erase-contact";

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

/** Asserts that the file is erased: no bytes in the store or on their way, no id, no size, no use of the quota. */
async function expectErased(fileId: string): Promise<void> {
  expect(await fileRow(ctx, fileId)).toMatchObject({
    state: "gone",
    goneReason: "erased",
    mediaId: null,
    size: null,
    sha256: null,
    mayHaveBytes: false,
    isClaimed: false,
  });
  expect(await world.services.customerFiles.find(fileId)).toBeNull();
  expect(await readdir(path.join(world.services.config.dataDir, "uploads/incoming"))).toEqual([]);
  expect([await usedBytes(ctx), await usedByCustomers(ctx)]).toEqual([0, 0]);
}

/** Receives a file whose bytes only come when `finish` is called, and waits until its download runs. */
async function startSlowFetch() {
  const received = await receiveFile(ctx, channelId);
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  host.serve((res, req) => void finished.then(() => givingBytes(SAMPLES.png)(res, req)));
  const fetching = fetchDueFile(ctx.services, received.fileId);
  await vi.waitFor(() => expect(host.downloads()).toBe(1));
  return { ...received, finish, fetching };
}

test("a customer's file is erased with the contact, and says that it is gone", async () => {
  const { fileId, contactId, messageId } = await receiveFile(ctx, channelId);
  await fetchDueFile(ctx.services, fileId);
  expect([await usedBytes(ctx), await usedByCustomers(ctx)]).toEqual(Array(2).fill(SAMPLES.png.length));
  await eraseContact({ ctx, input: { contactId } });
  await expectErased(fileId);
  await expect(openMessageFile({ ctx, input: { id: messageId } })).rejects.toMatchObject({
    code: "media_gone",
  });
});

test("a customer's file is erased with its message when that is too old", async () => {
  const { fileId, messageId } = await receiveFile(ctx, channelId);
  await fetchDueFile(ctx.services, fileId);
  await world.database
    .sql`update messages set created_at = now() - interval '91 days' where id = ${messageId}`;
  await enforceRetention(ctx.services);
  await expectErased(fileId);
});

test("a customer's file is kept as long as its message, unlike uploads", async () => {
  const { fileId, messageId } = await receiveFile(ctx, channelId);
  await fetchDueFile(ctx.services, fileId);
  await world.database
    .sql`update messages set created_at = now() - interval '89 days' where id = ${messageId}`;
  await enforceRetention(ctx.services);
  await sweepUploads(ctx.services);
  await sweepCustomerFiles(ctx.services);
  expect(await world.services.customerFiles.find(fileId)).not.toBeNull();
  expect(await usedBytes(ctx)).toBe(SAMPLES.png.length);
});

test("a file that is erased before it is fetched is never fetched", async () => {
  const { fileId, contactId } = await receiveFile(ctx, channelId);
  await eraseContact({ ctx, input: { contactId } });
  await fetchDueFile(ctx.services, fileId);
  await expectErased(fileId);
  expect(host.requests).toEqual([]);
});

test("a file that is erased while it is fetched leaves nothing behind", async () => {
  const { fileId, contactId, finish, fetching } = await startSlowFetch();
  await eraseContact({ ctx, input: { contactId } });
  expect(await fileRow(ctx, fileId)).toMatchObject({ state: "gone", isClaimed: true });
  finish();
  await fetching;
  await expectErased(fileId);
});

test("a file that is erased between its storing and its row leaves nothing behind", async () => {
  const { fileId, contactId } = await receiveFile(ctx, channelId);
  const { customerFiles } = ctx.services;
  const services = servicesWith(ctx.services, {
    customerFiles: {
      ...customerFiles,
      async stage(chunks, bytesMax) {
        const staged = await customerFiles.stage(chunks, bytesMax);
        return {
          ...staged,
          async keep(id) {
            await staged.keep(id);
            await eraseContact({ ctx, input: { contactId } });
          },
        };
      },
    },
  });
  await fetchDueFile(services, fileId);
  await expectErased(fileId);
});

test("what a process that died left of an erased file is swept when its claim is over", async () => {
  const { fileId, contactId } = await receiveFile(ctx, channelId);
  await world.database.sql`
    update customer_files set claim_token = gen_random_uuid(), may_have_bytes = true,
      next_attempt_at = now() + interval '10 minutes' where id = ${fileId}`;
  const bytes = async function* () {
    yield SAMPLES.png;
  };
  await eraseContact({ ctx, input: { contactId } });
  await (await world.services.customerFiles.stage(bytes(), SAMPLES.png.length)).keep(fileId);
  await sweepCustomerFiles(ctx.services);
  expect(await world.services.customerFiles.find(fileId)).not.toBeNull();
  await world.database.sql`update customer_files set next_attempt_at = now() where id = ${fileId}`;
  await sweepCustomerFiles(ctx.services);
  await expectErased(fileId);
});

test("the byte counter is corrected by uploads and customers' files together", async () => {
  const { fileId } = await receiveFile(ctx, channelId);
  await fetchDueFile(ctx.services, fileId);
  await world.database
    .sql`update organizations set uploaded_bytes = 1 where id = ${ctx.actor.organizationId}`;
  await sweepUploads(ctx.services);
  expect(await usedBytes(ctx)).toBe(SAMPLES.png.length);
});

/** Services whose stores can't remove anything. */
function withoutRemoving() {
  const { customerFiles, uploads } = ctx.services;
  const remove = () => Promise.reject(new Error("AccessDenied"));
  return servicesWith(ctx.services, {
    customerFiles: { ...customerFiles, remove },
    uploads: { ...uploads, remove },
  });
}

/** Asserts that the bytes are still there, and that the hourly sweep removes them. */
async function expectSwept(fileId: string): Promise<void> {
  expect(await fileRow(ctx, fileId)).toMatchObject({ goneReason: "erased", mayHaveBytes: true });
  expect(await world.services.customerFiles.find(fileId)).not.toBeNull();
  await sweepHourly(ctx.services);
  await expectErased(fileId);
}

test("a store that can't remove files doesn't keep a contact from being erased", async () => {
  const { fileId, contactId } = await receiveFile(ctx, channelId);
  await fetchDueFile(ctx.services, fileId);
  const logged = vi.spyOn(ctx.services.log, "error");
  await eraseContact({ ctx: { ...ctx, services: withoutRemoving() }, input: { contactId } });
  expect(logged).toHaveBeenCalledWith(
    expect.objectContaining({ fileId }),
    "a customer's file couldn't be removed yet",
  );
  await expectSwept(fileId);
});

test("a store that can't remove files doesn't stop retention", async () => {
  const { fileId, contactId, messageId } = await receiveFile(ctx, channelId);
  await fetchDueFile(ctx.services, fileId);
  const { sql } = world.database;
  await sql`update messages set created_at = now() - interval '91 days' where id = ${messageId}`;
  await enforceRetention(withoutRemoving());
  const [row] = await sql`
    select o.erased_until_seq >= m.accept_seq as "isPast",
      not exists (select from contact_identities where contact_id = ${contactId}) as "isEmptied"
    from messages m join organizations o on o.id = m.organization_id where m.id = ${messageId}`;
  expect(row).toEqual({ isPast: true, isEmptied: true });
  await expectSwept(fileId);
});
