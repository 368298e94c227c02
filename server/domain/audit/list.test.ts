import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Sql } from "@/db/client";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import type { Context } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import { revokeKey } from "@/server/domain/keys/revoke";
import { setKey } from "@/server/domain/keys/set";
import { errorOf } from "@/server/domain/keys/testing";
import { openConversation } from "@/server/domain/messages/testing";
import {
  asMember,
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { rowsReadBy } from "@/server/testing";
import type { AuditAction } from "@/server/core/audit/actions";
import { exportAudit } from "./export";
import { listAudit, listAuditInput } from "./list";
import { recordAudit } from "@/server/core/audit/record";

type ListInput = Parameters<typeof listAuditInput.parse>[0];

let world: TestWorld;
let ctx: Context<SystemActor>;
let owner: Context<MemberActor>;

beforeAll(async () => void (world = await openTestWorld({ database: "own" })));
beforeEach(async () => {
  ctx = await createTestOrganization(world.services);
  const { actor, ...rest } = await asMember(ctx, "owner");
  owner = { ...rest, actor: { ...actor, address: "192.0.2.7" } };
});
afterAll(() => world.close());

const list = (input: ListInput = {}, as: Context = owner) =>
  listAudit({ ctx: as, input: listAuditInput.parse(input) });

/** Returns the ids on all pages, and the number of pages. */
async function pagesOf(input: Record<string, unknown>) {
  const ids: string[] = [];
  let pages = 0;
  for (let cursor: string | null | undefined; cursor !== null; pages++) {
    const page: Awaited<ReturnType<typeof listAudit>> = await list({ ...input, cursor });
    ids.push(...page.data.map(({ id }) => id));
    cursor = page.next_cursor;
  }
  return { ids, pages };
}

/** Adds acts on nonexistent subjects, ten at each moment. */
async function addActs(
  count: number,
  action: AuditAction = "template.submitted",
  subjectId: string = randomUUID(),
) {
  await world.database.sql`
    insert into audit_log (id, organization_id, actor_kind, actor_id, action, subject_kind, subject_id, created_at)
    select gen_random_uuid(), ${ctx.actor.organizationId}, 'system', 'test', ${action}, 'template', ${subjectId},
      now() - (i / 10) * interval '1 microsecond'
    from generate_series(1, ${count}) i`;
  return subjectId;
}

const over = (sql: Sql): Context => ({ ...owner, services: { ...owner.services, sql } });

describe("an act", () => {
  test("is shown with who, what, when, from where, before and after, newest first", async () => {
    const key = await createKey({ ctx: owner, input: { name: "Shop" } });
    await setKey({ ctx: owner, input: { keyId: key.id, name: "Old shop" } });
    await revokeKey({
      ctx: { ...ctx, actor: { ...ctx.actor, job: "cli key revoke" } },
      input: { keyId: key.id },
    });
    const { data } = await list({ subjectId: key.id });
    const subject = { kind: "key", id: key.id, name: "Old shop" };
    const email = expect.stringMatching(/^owner-\d+@example\.com$/);
    const byOwner = {
      actor: { kind: "member", id: owner.actor.memberId, name: "owner", email },
      subject,
      address: "192.0.2.7",
      requestId: owner.requestId,
    };
    expect(data).toMatchObject([
      {
        action: "key.revoked",
        words: "revoked an API key",
        actor: { kind: "system", id: "cli key revoke", name: "cli key revoke", email: null },
        subject,
        address: null,
        requestId: null,
      },
      { action: "key.set", ...byOwner, detail: { from: { name: "Shop" }, to: { name: "Old shop" } } },
      { action: "key.created", ...byOwner, detail: { name: "Shop" } },
    ]);
    for (const { at } of data) expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(60_000);
  });

  test("names what it is about as that is called now, and who did it where that was a key", async () => {
    const channelId = await connectTestChannel(ctx);
    const key = await createKey({ ctx: owner, input: { name: "Shop" } });
    const { contactId, threadId } = await openConversation(ctx, channelId);
    await world.services.orm.transaction(async (tx) => {
      const subjectKind = "conversation";
      await recordAudit(tx, ctx, { action: "conversation.closed", subjectKind, subjectId: threadId });
    });
    await world.database.sql`
      update audit_log set actor_kind = 'key', actor_id = ${key.id} where subject_id = ${threadId}`;
    expect((await list()).data.map(({ actor, subject }) => [actor.name, subject.kind, subject.name])).toEqual(
      [
        ["Shop", "conversation", "Customer"],
        ["owner", "key", "Shop"],
        ["test", "channel", "Test channel"],
        ["test", "member", "owner"],
        ["test", "organization", "Test"],
      ],
    );
    await eraseContact({ ctx: owner, input: { contactId } });
    expect((await list({ limit: "2" })).data).toMatchObject([
      {
        action: "contact.erased",
        subject: { id: contactId, name: null },
        detail: { contactIds: [contactId] },
      },
      { subject: { id: threadId, name: null } },
    ]);
  });

  test("that another version of Waypost recorded is shown as it is written", async () => {
    const id = await addActs(1);
    await world.database.sql`
      update audit_log set action = 'webhook.made', subject_kind = 'webhook' where subject_id = ${id}`;
    const { data } = await list({ subjectId: id });
    expect(data).toMatchObject([{ words: "webhook.made", subject: { kind: "webhook", name: null } }]);
  });
});

describe("a filter", () => {
  test.each([
    ["action", () => ({ action: "member.created" }), ["member.created"]],
    ["kind of actor", () => ({ actorKind: "member" }), ["key.created"]],
    ["actor", () => ({ actorId: owner.actor.memberId }), ["key.created"]],
    ["kind of subject", () => ({ subjectKind: "organization" }), ["organization.created"]],
    ["subject", () => ({ subjectId: owner.actor.memberId }), ["member.created"]],
    ["beginning", () => ({ since: new Date(Date.now() + 60_000).toISOString() }), []],
    ["end", () => ({ until: new Date(Date.now() - 60_000).toISOString() }), []],
    ["what nothing has", () => ({ subjectId: "no-id" }), []],
  ])("by %s leaves what it says", async (_, input, actions) => {
    await createKey({ ctx: owner, input: { name: "Shop" } });
    expect((await list(input())).data.map(({ action }) => action)).toEqual(actions);
    const all = ["key.created", "member.created", "organization.created"];
    expect((await list()).data.map(({ action }) => action)).toEqual(all);
  });

  test("by time takes its beginning and leaves its end out", async () => {
    const at = new Date(Date.now() - 86_400_000).toISOString();
    const id = await addActs(1);
    await world.database.sql`update audit_log set created_at = ${at} where subject_id = ${id}`;
    expect((await list({ since: at, subjectId: id })).data).toHaveLength(1);
    expect((await list({ until: at, subjectId: id })).data).toHaveLength(0);
  });
});

describe("a search", () => {
  test.each([
    ["a key's name", () => "SHO", ["key.revoked", "key.created"]],
    ["a channel's name", () => "test chan", ["channel.connected"]],
    ["what nothing is called", () => "100%", []],
  ])("by %s finds what was done to it", async (_, q, actions) => {
    const key = await createKey({ ctx, input: { name: "Shop" } });
    await revokeKey({ ctx, input: { keyId: key.id } });
    await openConversation(ctx, await connectTestChannel(ctx));
    expect((await list({ q: q() })).data.map(({ action }) => action)).toEqual(actions);
  });

  test("by a member finds what they did, and what was done to them, each once", async () => {
    const { memberId } = owner.actor;
    await createKey({ ctx: owner, input: { name: "Shop" } });
    await createKey({ ctx, input: { name: "Not theirs" } });
    await world.services.orm.transaction((tx) =>
      recordAudit(tx, owner, { action: "member.renamed", subjectKind: "member", subjectId: memberId }),
    );
    const [{ email } = { email: "" }] = await world.database.sql<{ email: string }[]>`
      select u.email from users u join members m on m.user_id = u.id where m.id = ${memberId}`;
    for (const q of [email.toUpperCase(), " owner "]) {
      const { data } = await list({ q });
      expect(data.map(({ action }) => action)).toEqual(["member.renamed", "key.created", "member.created"]);
    }
    const foreign = await asMember(await createTestOrganization(world.services), "admin");
    expect((await list({ q: email }, foreign)).data).toEqual([]);
  });

  test("reads a few rows of a long log, and reaches every act once", async () => {
    const key = await createKey({ ctx: owner, input: { name: "Shop" } });
    await addActs(1_200, "key.set", key.id);
    await addActs(30_000);
    await world.database.sql`vacuum (analyze) audit_log`;
    const work = (sql: Sql) => list({ q: "shop", limit: "50" }, over(sql));
    expect(await rowsReadBy(ctx.services.sql, "audit_log", work)).toBeLessThan(2_500);
    const { ids } = await pagesOf({ q: "shop", limit: "100" });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(1_201);
  });
});

describe("pages", () => {
  test("reach every act once, also those of one moment, whatever else is written meanwhile", async () => {
    await addActs(35);
    const { data } = await list({ limit: "100" });
    const first = await list({ limit: "10" });
    await createKey({ ctx: owner, input: { name: "Meanwhile" } });
    const rest: string[] = [];
    for (let cursor = first.next_cursor; cursor !== null;) {
      const page: typeof first = await list({ limit: "10", cursor });
      rest.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect([...first.data.map(({ id }) => id), ...rest]).toEqual(data.map(({ id }) => id));
    expect(data).toHaveLength(37);
  });

  test("look at a part each where few match, and find all of them", async () => {
    const rare = [await addActs(1, "key.rotated")];
    await world.database
      .sql`update audit_log set created_at = now() - interval '1 year' where subject_id = ${rare[0] ?? ""}`;
    await addActs(25_000);
    const { ids, pages } = await pagesOf({ action: "key.rotated" });
    expect(ids).toHaveLength(1);
    expect(pages).toBe(3);
  });

  test("cost the same at the end of a long log as at its beginning", async () => {
    const subjectId = await addActs(60_000);
    await world.database.sql`vacuum (analyze) audit_log`;
    const [{ at } = { at: "" }] = await world.database.sql<{ at: string }[]>`
      select (min(created_at) + interval '2 milliseconds')::text as at from audit_log
      where organization_id = ${ctx.actor.organizationId} and subject_id = ${subjectId}`;
    const newest = await rowsReadBy(ctx.services.sql, "audit_log", (sql) => list({ limit: "50" }, over(sql)));
    const until = new Date(at).toISOString();
    const oldest = await rowsReadBy(ctx.services.sql, "audit_log", (sql) =>
      list({ limit: "50", until }, over(sql)),
    );
    expect(newest).toBeGreaterThan(50);
    expect(oldest).toBeGreaterThan(50);
    expect(Math.max(newest, oldest)).toBeLessThan(200);
  });
});

describe("the export", () => {
  test("is what the list shows, as CSV, in portions", async () => {
    await createKey({ ctx: owner, input: { name: '=cmd("x")' } });
    await addActs(1_200);
    const chunks: string[] = [];
    for await (const chunk of exportAudit({ ctx: owner, input: {} })) chunks.push(chunk);
    const lines = chunks.join("").trimEnd().split("\r\n");
    expect(lines[0]).toBe(
      "\uFEFFtime,actor_kind,actor_id,actor,actor_email,action,words,subject_kind,subject_id,subject,address," +
        "request_id,detail,id",
    );
    expect(lines).toHaveLength(1 + 1_203);
    expect(chunks.length).toBeGreaterThan(3);
    const { ids } = await pagesOf({ limit: "100" });
    expect(lines.slice(1).map((line) => line.slice(-36))).toEqual(ids);
    expect(lines.find((line) => line.includes("key.created"))).toContain(`"'=cmd(""x"")"`);
  });

  test("of what a filter leaves is all of that, and of nothing its header", async () => {
    const lines = async (input: Parameters<typeof exportAudit>[0]["input"]) => {
      let text = "";
      for await (const chunk of exportAudit({ ctx: owner, input })) text += chunk;
      return text.trimEnd().split("\r\n").length;
    };
    expect(await lines({ action: "member.created" })).toBe(2);
    expect(await lines({ subjectId: "no-id" })).toBe(1);
  });
});

test("whoever lacks audit.read sees nothing, and another organization's acts nobody sees", async () => {
  const key = await createKey({ ctx: owner, input: { name: "Shop" } });
  const agent = await asMember(ctx, "agent");
  expect((await errorOf(list({}, agent)))?.code).toBe("permission_denied");
  const chunk = exportAudit({ ctx: agent, input: {} }).next();
  expect((await errorOf(chunk))?.code).toBe("permission_denied");
  const granted = await asMember(ctx, "agent", ["audit.read"]);
  expect((await list({ subjectId: key.id }, granted)).data).toHaveLength(1);
  const foreign = await asMember(await createTestOrganization(world.services), "owner");
  expect((await list({ subjectId: key.id }, foreign)).data).toEqual([]);
  expect((await list({ actorId: owner.actor.memberId }, foreign)).data).toEqual([]);
});
