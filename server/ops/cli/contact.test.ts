import { afterAll, beforeAll, expect, test } from "vitest";
import { type CommandWorld, openCommands } from "@/server/ops/cli/testing";
import { openConversation, openSendWorld, queueText, type SendWorld } from "@/server/domain/messages/testing";
import { createTestOrganization } from "@/server/domain/organizations/testing";

let world: SendWorld;
let commands: CommandWorld;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  commands = await openCommands(world.databaseUrl);
});
afterAll(async () => {
  await commands.close();
  await world.close();
});

const waypost = (...args: string[]) => commands.waypost(...args);

/** A customer who wrote, with a waiting message. */
async function customer() {
  const found = await openConversation(world.ctx, world.channelId);
  return { ...found, messageId: await queueText(world.ctx, found.threadId) };
}

async function isKnown(handle: string): Promise<boolean> {
  const rows = await world.sql`select from contact_identities where handle = ${handle}`;
  return rows.length > 0;
}

const erase = (...args: string[]) =>
  waypost("contact", "erase", "--org", world.ctx.actor.organizationId, ...args);

test("a contact is erased by its id or by its number in any spelling, and the command says what that was", async () => {
  const [one, other] = [await customer(), await customer()];
  const byId = await erase("--contact", one.contactId, "--json");
  expect({ code: byId.code, stderr: byId.stderr }).toEqual({ code: 0, stderr: "" });
  const counts = { messages: 2, failed: 1, callbacks: 0, uploads: 0 };
  expect(JSON.parse(byId.stdout)).toEqual({ contact_ids: [one.contactId], ...counts });
  const spelled = `+${other.handle.slice(0, 2)} (${other.handle.slice(2, 5)}) ${other.handle.slice(5)}`;
  const byNumber = await erase("--number", spelled);
  expect(byNumber.code).toBe(0);
  expect(byNumber.stdout).toContain(`contact ${other.contactId}`);
  expect(byNumber.stdout).not.toContain(other.handle);
  expect(byNumber.stdout).toMatch(
    /^Messages +2, including messages from the customer; unsent messages that will never be sent: 1$/m,
  );
  expect([await isKnown(one.handle), await isKnown(other.handle)]).toEqual([false, false]);
  const acts = await world.sql`
    select actor_id from audit_log where action = 'contact.erased' and subject_id = ${one.contactId}`;
  expect(acts).toEqual([{ actor_id: "cli contact erase" }]);
});

const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";

test.each<[string, string[], number, RegExp]>([
  ["an unknown contact", ["--contact", UNKNOWN_ID], 1, /no such contact.*\(contact_not_found\)/i],
  [
    "a number that nobody has",
    ["--number", "4915112345678"],
    1,
    /No contact has this number.*Check the number\. \(contact_not_found\)\n$/,
  ],
  ["nobody", [], 2, /--contact <id>' or '--number <number>'/],
  ["two at once", ["--contact", UNKNOWN_ID, "--number", "4915112345678"], 2, /cannot be used with/],
  ["what is no number", ["--number", "Ana"], 2, /Expected a number with country code/],
])("to erase %s is refused in words", async (_, args, exitCode, words) => {
  const { code, stderr, stdout } = await erase(...args);
  expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" });
  expect(stderr).toMatch(words);
});

test("how long an organization keeps what was said is set, and listed", async () => {
  const { actor } = await createTestOrganization(world.services);
  const set = await waypost("org", "set", actor.organizationId, "--retention-days", "30", "--json");
  expect(set.code).toBe(0);
  expect(JSON.parse(set.stdout)).toEqual({ id: actor.organizationId, retention_days: 30 });
  const list = await waypost("org", "list", "--json");
  expect(JSON.parse(list.stdout)).toContainEqual({
    id: actor.organizationId,
    name: "Test",
    retention_days: 30,
    upload_quota: 10 * 1024 ** 3,
    uploaded_bytes: 0,
  });
  const tooShort = await waypost("org", "set", actor.organizationId, "--retention-days", "1");
  expect(tooShort.code).toBe(2);
  expect(tooShort.stderr).toMatch(/whole number from 2 to/);
});

test("how much space its uploads may take is set, in bytes or a size, and listed", async () => {
  const { actor } = await createTestOrganization(world.services);
  const set = (...args: string[]) => waypost("org", "set", actor.organizationId, ...args);
  const quotaOf = async () => {
    const { stdout } = await waypost("org", "list", "--json");
    const all: { id: string; upload_quota: number }[] = JSON.parse(stdout);
    return all.find(({ id }) => id === actor.organizationId)?.upload_quota;
  };
  const inBytes = await set("--upload-quota", "1500", "--json");
  expect(JSON.parse(inBytes.stdout)).toEqual({ id: actor.organizationId, upload_quota: 1_500 });
  expect(await quotaOf()).toBe(1_500);
  const both = await set("--upload-quota", "20GiB", "--retention-days", "30", "--json");
  expect(JSON.parse(both.stdout)).toMatchObject({ retention_days: 30, upload_quota: 20 * 1024 ** 3 });
  expect((await waypost("org", "list")).stdout).toContain("0 bytes of 20 GiB");
  for (const wrong of [
    [],
    ["--upload-quota", "20GB"],
    ["--upload-quota", "-1"],
    ["--upload-quota", "9999TiB"],
  ])
    expect((await set(...wrong)).code).toBe(2);
  expect(await quotaOf()).toBe(20 * 1024 ** 3);
});
