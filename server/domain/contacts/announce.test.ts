import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { personNamed } from "@/server/adapters/whatsapp/person";
import { receiveText } from "@/server/domain/messages/receive/receive";
import { failWithoutCall } from "@/server/domain/messages/deliver/fail-without-call";
import { applyStatuses } from "@/server/domain/messages/status/apply-statuses";
import { newHandle, openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { setMarketingWords } from "@/server/domain/organizations/set-marketing-words";
import { WEBHOOK_EVENT_SCHEMAS } from "@/server/domain/webhooks/events/event-schemas";
import {
  addEndpoint,
  deliveriesOf,
  openWebhookWorld,
  type WebhookWorld,
} from "@/server/domain/webhooks/testing";
import { ensureContact, ensurePersonIn } from "./ensure";
import { setMarketingPreference } from "./marketing";
import { recordPreferenceIn } from "./record-preference";

let world: WebhookWorld;
let endpointId: string;

const CONTACT_EVENTS = ["contact.opted_out", "contact.opted_in", "contact.changed"] as const;

beforeAll(async () => void (world = await openWebhookWorld()));
beforeEach(async () => {
  endpointId = (await addEndpoint(world.ctx, { url: null, events: [...CONTACT_EVENTS] })).id;
});
afterAll(() => world.close());

/** The bodies of the endpoint's events, each checked against its description. */
async function told(id = endpointId) {
  const deliveries = await deliveriesOf(world, id);
  return deliveries.map(({ body }) => {
    const event: unknown = JSON.parse(body ?? "");
    const type = CONTACT_EVENTS.find((name) => name === Object(event).type);
    if (!type) throw new Error(`${body} is no event of a contact`);
    expect(WEBHOOK_EVENT_SCHEMAS[type].parse(event)).toStrictEqual(event);
    const { data } = WEBHOOK_EVENT_SCHEMAS[type].parse(event);
    return { type, ...data };
  });
}

const inSeconds = (seconds: number) => new Date((1_750_000_000 + seconds) * 1000);

function write(
  from: string,
  body: string,
  second: number,
  more: { channelId?: string; upstreamId?: string } = {},
) {
  const { channelId = world.channelId, upstreamId = `wamid.${randomUUID()}` } = more;
  const at = inSeconds(second);
  return receiveText({ ctx: world.ctx, input: { channelId, from, profileName: null, upstreamId, body, at } });
}

const chosen = (number: string, isWanted: boolean, second: number) =>
  setMarketingPreference({
    ctx: world.ctx,
    input: { person: personNamed(number), profileName: null, isWanted, at: inSeconds(second) },
  });

describe("a decision about marketing messages", () => {
  test.each(["STOP", " stop\n", "ＳＴＯＰ", "Arre\u0302t", "unsubscribe"])(
    "is made by a text that is the word %j, and announced with its source",
    async (text) => {
      const from = newHandle();
      const { contactId } = await write(from, text, 7);
      expect(await told()).toEqual([
        {
          type: "contact.opted_out",
          contact_id: contactId,
          sequence: 1,
          identities: [{ kind: "whatsapp", handle: from }],
          marketing_opt_out: true,
          source: "word",
          at: inSeconds(7).toISOString(),
        },
      ]);
      expect(world.notifiedEndpoints).not.toContain(endpointId);
    },
  );

  test.each(["Please stop", "STOP.", "stop stop", "S T O P", "", "x".repeat(5_000)])(
    "isn't made by the text %j",
    async (text) => {
      await write(newHandle(), text, 7);
      expect(await told()).toEqual([]);
    },
  );

  test("isn't announced again for a repeat, an older decision, or the same state", async () => {
    const from = newHandle();
    const upstreamId = `wamid.${randomUUID()}`;
    await write(from, "STOP", 10, { upstreamId });
    await write(from, "STOP", 10, { upstreamId });
    await write(from, "STOP", 12);
    await write(from, "START", 5);
    await chosen(from, false, 13);
    await chosen(from, true, 20);
    await chosen(from, true, 21);
    await write(from, "START", 22);
    expect(
      (await told()).map(({ type, sequence, ...data }) => [type, sequence, Object(data).source]),
    ).toEqual([
      ["contact.opted_out", 1, "word"],
      ["contact.opted_in", 2, "whatsapp"],
    ]);
  });

  test("that is the first, and changes nothing, isn't announced", async () => {
    await write(newHandle(), "START", 3);
    expect(await told()).toEqual([]);
  });

  test("of a program or a member, now, wins over all that came before", async () => {
    const { contactId } = await ensureContact({ ctx: world.ctx, input: { handle: newHandle() } });
    const { organizationId } = world.ctx.actor;
    const decide = (isWanted: boolean, source: "api" | "member") =>
      world.sql.begin((tx) =>
        recordPreferenceIn(tx, organizationId, contactId, { isWanted, at: null, source }),
      );
    for (const [isWanted, source] of [
      [false, "api"],
      [true, "member"],
      [false, "member"],
    ] as const)
      await decide(isWanted, source);
    expect((await told()).map(({ type, ...data }) => [type, Object(data).source])).toEqual([
      ["contact.opted_out", "api"],
      ["contact.opted_in", "member"],
      ["contact.opted_out", "member"],
    ]);
  });

  test("is gone with the transaction that fails", async () => {
    const { contactId } = await ensureContact({ ctx: world.ctx, input: { handle: newHandle() } });
    const undone = world.sql.begin(async (tx) => {
      const decision = { isWanted: false, at: null, source: "api" } as const;
      await recordPreferenceIn(tx, world.ctx.actor.organizationId, contactId, decision);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await told()).toEqual([]);
  });

  test("of another organization's contact is none", async () => {
    const { contactId } = await ensureContact({ ctx: world.ctx, input: { handle: newHandle() } });
    await world.sql.begin((tx) =>
      recordPreferenceIn(tx, randomUUID(), contactId, { isWanted: false, at: null, source: "api" }),
    );
    const [row] = await world.sql`select marketing_opted_out_at as at from contacts where id = ${contactId}`;
    expect(row?.at).toBeNull();
  });

  test("that WhatsApp reports for a message comes from upstream, and notifies", async () => {
    const posted = await addEndpoint(world.ctx, { url: world.receiver.url, events: ["contact.opted_out"] });
    const { threadId } = await openConversation(world.ctx, world.channelId);
    const messageId = await queueText(world.ctx, threadId);
    const report = { upstreamId: `wamid.${messageId}`, messageId, upstreamAt: null, recipient: null };
    const failed = {
      kind: "failed",
      errorCode: "recipient_opted_out",
      detail: { upstreamCode: 131050 },
    } as const;
    const reports = [{ ...report, ...failed }];
    await applyStatuses({ ctx: world.ctx, input: { channelId: world.channelId, reports } });
    await failWithoutCall(world.services, [{ id: messageId }], "expired");
    expect(await told()).toMatchObject([{ type: "contact.opted_out", source: "upstream" }]);
    expect(world.notifiedEndpoints).toContain(posted.id);
  });

  test("of two contacts that prove to be one person is the newest of both, and announced if it changes the one", async () => {
    const [number, userId] = [newHandle(), `DE.${randomUUID().replaceAll("-", "")}`];
    await chosen(number, true, 1);
    await setMarketingPreference({
      ctx: world.ctx,
      input: { person: personNamed(userId), profileName: null, isWanted: false, at: inSeconds(5) },
    });
    const { contactId } = await world.sql.begin((tx) =>
      ensurePersonIn(tx, world.ctx.actor.organizationId, {
        person: personNamed(number, userId),
        name: null,
        at: new Date(),
      }),
    );
    const [ofId, ofBoth, ...others] = await told();
    expect(others).toEqual([]);
    const optedOut = { type: "contact.opted_out", sequence: 1, source: "whatsapp" };
    const byId = { kind: "whatsapp_user", handle: userId };
    expect(ofId).toMatchObject({ ...optedOut, identities: [byId] });
    const identities = [{ kind: "whatsapp", handle: number }, byId];
    expect(ofBoth).toMatchObject({ ...optedOut, contact_id: contactId, identities });
    expect(ofId?.contact_id).not.toBe(contactId);
  });
});

describe("the words of an organization", () => {
  test("are the only ones that count", async () => {
    const { services } = world;
    const ctx = { ...world.ctx, services };
    try {
      await setMarketingWords({ ctx, input: { optOutWords: ["Genug!"], optInWords: [] } });
      const from = newHandle();
      await write(from, "STOP", 1);
      expect(await told()).toEqual([]);
      await write(from, "genug!", 2);
      await write(from, "START", 3);
      expect((await told()).map(({ type }) => type)).toEqual(["contact.opted_out"]);
    } finally {
      await world.sql`
        update organizations set opt_out_words = null, opt_in_words = null
        where id = ${ctx.actor.organizationId}`;
    }
  });
});

test("an endpoint that is limited to channels gets the events of contacts with a conversation there", async () => {
  const second = await connectTestChannel(world.ctx);
  const limited = await addEndpoint(world.ctx, {
    url: null,
    events: ["contact.opted_out"],
    channelIds: [second],
  });
  await write(newHandle(), "STOP", 1);
  expect(await told(limited.id)).toEqual([]);
  const from = newHandle();
  const { contactId } = await write(from, "STOP", 1, { channelId: second });
  expect(await told(limited.id)).toMatchObject([{ contact_id: contactId }]);
});
