import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { drainChannel } from "@/server/domain/messages/deliver/drain";
import {
  messageRow,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { wamidOf } from "@/server/adapters/whatsapp/testing";
import { channelsWithCallbacksDue } from "./due";
import { bytesOf, callback, inbound, post, processDue, status } from "./testing";

let world: SendWorld;
let phoneNumberId: string;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  phoneNumberId = await phoneNumberOf(world.channelId);
});
beforeEach(() => world.sql`delete from upstream_callbacks`);
afterAll(() => world.close());

async function phoneNumberOf(channelId: string): Promise<string> {
  const [row] = await world.sql<{ phoneNumberId: string }[]>`
    select phone_number_id as "phoneNumberId" from channels where id = ${channelId}`;
  return row?.phoneNumberId ?? "";
}

async function take(body: object, channelId = world.channelId): Promise<void> {
  expect(await post(world.services, channelId, bytesOf(body))).toBe(200);
}

const process = () => processDue(world.services);

async function takeAndProcess(...values: object[]): Promise<void> {
  await take(callback(phoneNumberId, ...values));
  await process();
}

async function sentMessage(): Promise<string> {
  const { threadId } = await openConversation(world.ctx, world.channelId);
  const id = await queueText(world.ctx, threadId);
  await drainChannel(world.services, world.channelId);
  return id;
}

/** Returns what has not been processed, and what was not understood. */
async function leftOver() {
  return world.sql<{ tries: number; isProcessed: boolean; problem: string | null }[]>`
    select tries, processed_at is not null as "isProcessed", problem from upstream_callbacks order by received_at`;
}

async function stateOf(id: string): Promise<string> {
  return (await messageRow(world, id)).state;
}

async function contactsOf(handles: readonly string[]) {
  return world.sql<{ contactId: string; name: string | null; threadId: string; inboundMs: number | null }[]>`
    select distinct i.contact_id as "contactId", c.name, v.id as "threadId",
      (extract(epoch from now() - v.last_inbound_at) * 1000)::float8 as "inboundMs"
    from contact_identities i join contacts c on c.id = i.contact_id
    left join conversations v on v.contact_id = i.contact_id
    where i.handle = any(${[...handles]}::text[])`;
}

describe("statuses", () => {
  test("move their messages, several in one callback", async () => {
    const [first, second] = [await sentMessage(), await sentMessage()];
    await takeAndProcess(
      { statuses: [status("delivered", wamidOf(first)), status("read", wamidOf(second))] },
      { statuses: [status("read", wamidOf(first))] },
    );
    expect([await stateOf(first), await stateOf(second)]).toEqual(["read", "read"]);
    expect(await leftOver()).toMatchObject([{ isProcessed: true, problem: null }]);
  });

  test("carry the upstream's own code into a stable one", async () => {
    const id = await sentMessage();
    const errors = [{ code: 131047, title: "Re-engagement message", error_data: { details: "24 hours" } }];
    await takeAndProcess({ statuses: [status("failed", wamidOf(id), { errors })] });
    expect(await messageRow(world, id)).toMatchObject({
      state: "failed",
      errorCode: "outside_customer_window",
    });
  });

  test("of a number of another organization change nothing", async () => {
    const id = await sentMessage();
    const foreign = await createTestOrganization(world.services);
    const foreignChannel = await connectTestChannel(foreign);
    const naming = { biz_opaque_callback_data: id };
    // Its own number, and ours, named in a callback that is signed with its own secret.
    for (const number of [await phoneNumberOf(foreignChannel), phoneNumberId]) {
      await take(callback(number, { statuses: [status("read", wamidOf(id), naming)] }), foreignChannel);
    }
    await process();
    expect(await stateOf(id)).toBe("sent");
    expect(await leftOver()).toMatchObject([
      { isProcessed: true, problem: null },
      { isProcessed: true, problem: expect.stringContaining("no channel of the organization") },
    ]);
  });
});

describe("one entry that isn't understood", () => {
  test("drops none of the rest", async () => {
    const id = await sentMessage();
    const from = newHandle();
    const known = callback(
      phoneNumberId,
      { statuses: [{ id: 1 }, status("played", "wamid.voice"), status("delivered", wamidOf(id))] },
      inbound("not a number", "wamid.odd"),
      { messages: [{ type: "order" }, null] },
      inbound(from, `wamid.${randomUUID()}`),
    );
    const other = { field: "a_field_of_tomorrow", value: { event: "NEW" } };
    await take({ ...known, entry: [{ id: "0", changes: [other] }, ...Object(known).entry] });
    await process();
    expect(await stateOf(id)).toBe("delivered");
    expect(await contactsOf([from])).toHaveLength(1);
    const [row] = await leftOver();
    expect(row).toMatchObject({ isProcessed: true, problem: expect.stringContaining("a status") });
    expect(row?.problem).toContain("a_field_of_tomorrow");
  });

  test.each([
    ["NUL in the words of an error", { errors: [{ code: 131026, error_data: { details: "a\0b" } }] }],
    [
      "half a surrogate pair in the words of an error",
      { errors: [{ code: 131026, title: "\ud83d", message: "\ud83d" }] },
    ],
    ["a time that no calendar has", { timestamp: "999999999999" }],
    ["a time that is no time", { timestamp: 1e300 }],
  ])("%s neither loses the status nor holds up the others", async (_, fields) => {
    const [first, second] = [await sentMessage(), await sentMessage()];
    await takeAndProcess({
      statuses: [status("failed", wamidOf(first), fields), status("read", wamidOf(second))],
    });
    expect([await stateOf(first), await stateOf(second)]).toEqual(["failed", "read"]);
    expect(await leftOver()).toMatchObject([{ isProcessed: true, problem: null }]);
  });

  test("what PostgreSQL can't store is left out of what a customer wrote and is called", async () => {
    const from = newHandle();
    const contacts = [{ profile: { name: "An\0na" }, wa_id: from }];
    await takeAndProcess({
      ...inbound(from, `wamid.${randomUUID()}`, { text: { body: "a\0b \ud83d" } }),
      contacts,
    });
    expect(await contactsOf([from])).toMatchObject([{ name: "Anna" }]);
    expect(await leftOver()).toMatchObject([{ isProcessed: true }]);
  });
});

describe("what a customer writes", () => {
  test("makes contact and conversation, with name, and opens the window from then on", async () => {
    const from = newHandle();
    const timestamp = String(Math.floor(Date.now() / 1000) - 3600);
    await takeAndProcess(inbound(from, `wamid.${randomUUID()}`, { timestamp }));
    const [contact] = await contactsOf([from]);
    expect(contact).toMatchObject({ name: "Customer", threadId: expect.any(String) });
    expect(Math.abs((contact?.inboundMs ?? 0) - 3_600_000)).toBeLessThan(10_000);
    expect(await queueText(world.ctx, contact?.threadId ?? "")).toEqual(expect.any(String));
  });

  test("late doesn't close the window again, nor does a clock ahead of ours lengthen it", async () => {
    const from = newHandle();
    const at = (offset: number) => ({ timestamp: String(Math.floor(Date.now() / 1000) + offset) });
    await takeAndProcess(inbound(from, `wamid.${randomUUID()}`, at(86_400)));
    await takeAndProcess(inbound(from, `wamid.${randomUUID()}`, at(-7_200)));
    const [contact] = await contactsOf([from]);
    expect(contact?.inboundMs).toBeGreaterThanOrEqual(0);
    expect(contact?.inboundMs).toBeLessThan(10_000);
  });

  test("twenty times at once from the two written forms of one new number: one contact, one conversation", async () => {
    const forms = ["5511987650030", "551187650030"];
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        take(callback(phoneNumberId, inbound(forms[index % 2] ?? "", `wamid.forms.${index}`))),
      ),
    );
    await Promise.all([process(), processDue({ ...world.services })]);
    const contacts = await contactsOf(forms);
    expect(contacts).toHaveLength(1);
    expect(
      await world.sql`select 1 from messages where conversation_id = ${contacts[0]?.threadId ?? ""}`,
    ).toHaveLength(20);
  });

  test("keeps a closed conversation closed", async () => {
    const { threadId, handle } = await openConversation(world.ctx, world.channelId);
    await world.sql`update conversations set status = 'closed' where id = ${threadId}`;
    await takeAndProcess(inbound(handle, `wamid.${randomUUID()}`));
    expect(await world.sql`select status from conversations where id = ${threadId}`).toEqual([
      { status: "closed" },
    ]);
  });
});

describe("processing", () => {
  test("twice changes nothing", async () => {
    const id = await sentMessage();
    const from = newHandle();
    await takeAndProcess({ statuses: [status("read", wamidOf(id))] }, inbound(from, "wamid.twice"));
    const look = async () => [
      await messageRow(world, id),
      await world.sql`select count(*)::int from message_events`,
      await world.sql`select count(*)::int from messages`,
      (await contactsOf([from])).length,
    ];
    const before = await look();
    await world.sql`update upstream_callbacks set processed_at = null, claimed_until = null`;
    await process();
    expect(await look()).toEqual(before);
  });

  test("of one that always fails is tried again ever more rarely, and holds up no other", async () => {
    const id = await sentMessage();
    // A constraint that one callback's message violates represents any failure.
    await world.sql`alter table messages add constraint poison check (upstream_id <> 'wamid.poison') not valid`;
    try {
      await take(callback(phoneNumberId, inbound(newHandle(), "wamid.poison")));
      await take(callback(phoneNumberId, { statuses: [status("read", wamidOf(id))] }));
      await process();
      expect(await stateOf(id)).toBe("read");
      expect(await leftOver()).toMatchObject([
        { tries: 1, isProcessed: false },
        { tries: 1, isProcessed: true },
      ]);
      expect(await channelsWithCallbacksDue(world.services)).toEqual([]);
      const leases: number[] = [];
      for (let tries = 0; tries < 3; tries++) {
        await world.sql`update upstream_callbacks set claimed_until = now() - interval '1 second'`;
        expect(await channelsWithCallbacksDue(world.services)).toEqual([world.channelId]);
        await process();
        const [row] = await world.sql<{ seconds: number }[]>`
          select extract(epoch from claimed_until - now())::float8 as seconds from upstream_callbacks
          where processed_at is null`;
        leases.push(Math.round((row?.seconds ?? 0) / 10) * 10);
      }
      expect(leases).toEqual([60, 120, 240]);
    } finally {
      await world.sql`alter table messages drop constraint poison`;
    }
    await world.sql`update upstream_callbacks set claimed_until = null`;
    await process();
    expect(await leftOver()).toMatchObject([{ isProcessed: true }, { isProcessed: true }]);
  });

  test("of one entry that fails doesn't hold up the rest of its callback", async () => {
    const id = await sentMessage();
    await world.sql`alter table messages add constraint poison check (upstream_id <> 'wamid.poison') not valid`;
    try {
      await takeAndProcess(inbound(newHandle(), "wamid.poison"), {
        statuses: [status("read", wamidOf(id))],
      });
      expect(await stateOf(id)).toBe("read");
      expect(await leftOver()).toMatchObject([{ isProcessed: false }]);
    } finally {
      await world.sql`alter table messages drop constraint poison`;
    }
  });

  test("isn't held up by a callback that another process is claiming", async () => {
    const id = await sentMessage();
    await take(callback(phoneNumberId, { statuses: [status("sent", "wamid.held")] }));
    await world.sql.begin(async (other) => {
      await other`select 1 from upstream_callbacks for update`;
      await takeAndProcess({ statuses: [status("read", wamidOf(id))] });
      expect(await stateOf(id)).toBe("read");
    });
    expect(await leftOver()).toMatchObject([{ isProcessed: false, tries: 0 }, { isProcessed: true }]);
  });

  test("in several processes at once takes each callback once", async () => {
    await Promise.all(
      Array.from({ length: 45 }, (_, index) =>
        take(callback(phoneNumberId, { statuses: [status("sent", `wamid.none.${index}`)] })),
      ),
    );
    await Promise.all(Array.from({ length: 5 }, () => processDue({ ...world.services })));
    const rows = await leftOver();
    expect(rows).toHaveLength(45);
    expect(rows.every((row) => row.isProcessed && row.tries === 1)).toBe(true);
    expect(await channelsWithCallbacksDue(world.services)).toEqual([]);
  });
});
