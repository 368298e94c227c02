import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drainChannel } from "@/server/domain/messages/deliver/drain";
import {
  messageRow,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import { wamidOf } from "@/server/adapters/whatsapp/testing";
import {
  ERRORS_EXAMPLE,
  EXAMPLE,
  IGNORED_EXAMPLES,
  inboundPayload,
  ofNumber,
  payload,
  TEMPLATE_EXAMPLES,
} from "./examples.fixture";
import { INBOUND_EVENT_EXAMPLES } from "./inbound-event-examples.fixture";
import { INBOUND_EXAMPLES } from "./inbound-examples.fixture";

import { STATUS_EXAMPLES } from "./status-examples.fixture";
import { bytesOf, post, processDue } from "./testing";

let world: SendWorld;

beforeAll(async () => {
  world = await openSendWorld({ database: "own" });
  await world.sql`
    update channels set phone_number_id = ${EXAMPLE.phoneNumberId}, waba_id = ${EXAMPLE.wabaId}
    where id = ${world.channelId}`;
});
afterAll(() => world.close());

/** Posts and processes. @returns the parts that were not understood. */
async function take(...bodies: object[]): Promise<(string | null)[]> {
  await world.sql`delete from upstream_callbacks`;
  for (const body of bodies) expect(await post(world.services, world.channelId, bytesOf(body))).toBe(200);
  await processDue(world.services);
  const rows = await world.sql<{ isProcessed: boolean; problem: string | null }[]>`
    select processed_at is not null as "isProcessed", problem from upstream_callbacks order by received_at, id`;
  expect(rows.map((row) => row.isProcessed)).toEqual(bodies.map(() => true));
  return rows.map((row) => row.problem);
}

const contentOfMessage = async (wamid: string) => {
  const [row] = await world.sql<{ type: string; content: unknown }[]>`
    select type, content from messages where upstream_id = ${wamid} and kind = 'inbound'`;
  return row;
};

async function sentMessage() {
  const { threadId, handle } = await openConversation(world.ctx, world.channelId);
  const id = await queueText(world.ctx, threadId);
  await drainChannel(world.services, world.channelId);
  return { id, handle };
}

const windowOf = async (number: string) => {
  const [row] = await world.sql<{ lastInboundAt: Date | null }[]>`
    select v.last_inbound_at as "lastInboundAt" from conversations v
    join contact_identities i on i.contact_id = v.contact_id where i.handle = ${number}`;
  return row?.lastInboundAt ?? null;
};

describe("Meta's documented payloads", () => {
  const examples = [...INBOUND_EXAMPLES, ...INBOUND_EVENT_EXAMPLES];

  test.each(examples.map((example, index) => ({ name: `${example.type} (${index})`, example })))(
    "$name is stored freed of its shape, and opens the window only if the customer says something",
    async ({ example }) => {
      await world.sql`update conversations set last_inbound_at = null`;
      const wamid = `wamid.${randomUUID()}`;
      expect(await take(inboundPayload(example, wamid, "1749416383"))).toEqual([null]);
      expect(await contentOfMessage(wamid)).toEqual({
        type: example.type,
        content: { type: example.type, ...example.content },
      });
      const opened = example.opensWindow ? new Date("2025-06-08T20:59:43Z") : null;
      expect(await windowOf(EXAMPLE.number)).toEqual(opened);
    },
  );

  test.each(STATUS_EXAMPLES)("status $name: the message is $state", async (example) => {
    const { id, handle } = await sentMessage();
    const recipient = example.hasNumber ? { recipient_id: handle } : {};
    const entry = { id: wamidOf(id), timestamp: "1750030073", ...recipient, ...example.status };
    const change = { contacts: example.contacts, statuses: [entry] };
    expect(await take(payload("messages", ofNumber(change)))).toEqual([null]);
    expect(await messageRow(world, id)).toMatchObject({ state: example.state, errorCode: example.error });
  });

  test.each(["deleted", "warning"])("status %s leaves the message as it is", async (status) => {
    const { id, handle } = await sentMessage();
    const entry = { id: wamidOf(id), timestamp: "1750030073", recipient_id: handle, status };
    expect(await take(payload("messages", ofNumber({ statuses: [entry] })))).toEqual([null]);
    expect((await messageRow(world, id)).state).toBe("sent");
  });

  test("a status of a group, which none of ours is sent to, does nothing", async () => {
    const entry = {
      id: "wamid.group",
      status: "delivered",
      timestamp: "1750030073",
      recipient_id: "Y2FwaV9ncm91cDox",
      recipient_type: "group",
      recipient_participant_id: EXAMPLE.number,
    };
    expect(await take(payload("messages", ofNumber({ statuses: [entry] })))).toEqual([null]);
  });

  test("an error of the upstream that is about no message is told beside the callback", async () => {
    expect(await take(payload("messages", ofNumber(ERRORS_EXAMPLE)))).toEqual([
      expect.stringContaining("the upstream's error 130429 Rate limit hit"),
    ]);
  });

  test.each(IGNORED_EXAMPLES.map(({ field, value }) => ({ field, value })))(
    "a change of $field is understood, and nothing is done",
    async ({ field, value }) => {
      const count = () => world.sql`select count(*)::int from messages`;
      const before = await count();
      expect(await take(payload(field, value))).toEqual([null]);
      expect(await count()).toEqual(before);
    },
  );

  test("a call of a customer opens the window, once for its beginning and its end", async () => {
    await world.sql`update conversations set last_inbound_at = null`;
    const call = {
      id: "wacid.customer",
      from: EXAMPLE.number,
      to: "15550783881",
      direction: "USER_INITIATED",
    };
    const connected = { ...call, event: "connect", timestamp: "1749416383" };
    const ended = { ...call, event: "terminate", timestamp: "1749416400", status: "COMPLETED" };
    expect(
      await take(
        payload("calls", ofNumber({ calls: [connected] })),
        payload("calls", ofNumber({ calls: [ended] })),
      ),
    ).toEqual([null, null]);
    expect(await windowOf(EXAMPLE.number)).toEqual(new Date("2025-06-08T20:59:43Z"));
    expect(await contentOfMessage("wacid.customer")).toEqual({ type: "call", content: { type: "call" } });
  });

  test("a customer's wish for no marketing holds until a later consent", async () => {
    // The documented customer has tapped "Unsubscribe" in another example.
    const number = newHandle();
    const preference = (value: string, timestamp: number) =>
      payload(
        "user_preferences",
        ofNumber({
          contacts: [{ wa_id: number }],
          user_preferences: [
            {
              wa_id: number,
              detail: `User requested to ${value} marketing messages`,
              category: "marketing_messages",
              value,
              timestamp,
            },
          ],
        }),
      );
    const optedOutAt = async () => {
      const [row] = await world.sql<{ at: Date | null }[]>`
        select c.marketing_opted_out_at as at from contacts c
        join contact_identities i on i.contact_id = c.id where i.handle = ${number}`;
      return row?.at ?? null;
    };
    expect(await take(preference("stop", 1731705721))).toEqual([null]);
    expect(await optedOutAt()).toEqual(new Date(1731705721_000));
    await take(preference("resume", 1731705000));
    expect(await optedOutAt()).toEqual(new Date(1731705721_000));
    await take(preference("resume", 1731705800));
    expect(await optedOutAt()).toBeNull();
  });

  test.each(TEMPLATE_EXAMPLES)(
    "a template that is told to be $event is $state, on the account that the entry names",
    async ({ event, also, state, stateReason }) => {
      const [id, name] = [randomUUID(), `order_confirmation_${event.toLowerCase()}`];
      const before = state === "pending" ? "approved" : "pending";
      await world.sql`
        insert into templates (id, organization_id, channel_id, name, language, state, components)
        values (${id}, ${world.ctx.actor.organizationId}, ${world.channelId}, ${name}, 'en_US', ${before}, '[]')`;
      const value = {
        event,
        message_template_id: 1689556908129832,
        message_template_name: name,
        message_template_language: "en_US",
        message_template_category: "UTILITY",
        ...also,
      };
      expect(await take(payload("message_template_status_update", value))).toEqual([null]);
      const [row] = await world.sql`select state, state_reason as reason from templates where id = ${id}`;
      expect(row).toEqual({ state, reason: stateReason });
    },
  );

  test("a template of an account that isn't ours is told to the log", async () => {
    const change = {
      field: "message_template_status_update",
      value: {
        event: "APPROVED",
        message_template_name: "order_confirmation",
        message_template_language: "en_US",
      },
    };
    expect(await take({ entry: [{ id: "999", changes: [change] }] })).toEqual([
      expect.stringContaining("no channel of the organization"),
    ]);
  });
});
