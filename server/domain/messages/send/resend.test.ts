import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { MemberActor, SystemActor } from "@/server/core/actor";
import { eraseContact } from "@/server/domain/erasure/erase-contact";
import type { Context } from "@/server/core/context";
import { catalogueEntry, FAILURE_CODES, isWaypostError, type ResendAdvice } from "@/server/platform/errors";
import { asMember, createTestOrganization } from "@/server/domain/organizations/testing";
import { eraseMessages } from "@/server/domain/erasure/erase-messages";
import { resendMessage } from "./resend";
import { sendMessage } from "./send";
import {
  addTemplate,
  addUpload,
  asKey,
  codeOf,
  messageRow,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "../testing";

let world: SendWorld;
let ctx: Context<SystemActor>;
let member: Context<MemberActor>;
let threadId: string;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
  member = await asMember(ctx, "agent");
  ({ threadId } = await openConversation(ctx, world.channelId));
});
afterAll(() => world.close());

const resend = (
  messageId: string,
  {
    token = randomUUID(),
    acceptRisk = false,
    as = member,
  }: { token?: string; acceptRisk?: boolean; as?: Context } = {},
) => resendMessage({ ctx: as, input: { messageId, idempotencyToken: token, acceptRisk } });

/** A message that just failed with the code. */
async function failedWith(errorCode: string, failedAt = new Date()): Promise<string> {
  const id = await queueText(ctx, threadId);
  return fail(id, errorCode, failedAt);
}

async function fail(id: string, errorCode: string, failedAt = new Date()): Promise<string> {
  await world.sql`
    update messages set state = 'failed', error_code = ${errorCode}, failed_at = ${failedAt}, next_attempt_at = null
    where id = ${id}`;
  return id;
}

async function rowOf(id: string) {
  const [row] = await world.sql`
    select client_message_id as "clientMessageId", resend_of as "resendOf", member_id as "memberId",
      key_id as "keyId", content, conversation_id as "threadId", state, request_id as "requestId"
    from messages where id = ${id}`;
  return row;
}

const resendsOf = (id: string) => world.sql`select id from messages where resend_of = ${id}`;

async function errorOf(call: Promise<unknown>) {
  const error: unknown = await call.catch((reason: unknown) => reason);
  if (!isWaypostError(error)) throw new Error("It wasn't refused");
  return error;
}

describe("sending again", () => {
  test("makes a new message with the same content, and leaves the old one as it is", async () => {
    const id = await failedWith("expired");
    const [before, token] = [await messageRow(world, id), randomUUID()];
    const { messageId, isRepeat } = await resend(id, { token });
    expect(isRepeat).toBe(false);
    expect(await rowOf(messageId)).toEqual({
      clientMessageId: `resend:${token}`,
      resendOf: id,
      memberId: member.actor.memberId,
      keyId: null,
      content: {
        type: "text",
        thread_id: threadId,
        channel_id: world.channelId,
        text: { body: "Good morning" },
      },
      threadId,
      state: "queued",
      requestId: member.requestId,
    });
    expect(await messageRow(world, id)).toEqual(before);
    expect(world.target.at(-1)).toBe(world.channelId);
  });

  test("keeps a template's and a file's message whole, also of one that was sent to a number", async () => {
    const template = await addTemplate(ctx, world.channelId, { variables: ["1"] });
    const upload = await addUpload(ctx);
    const handle = newHandle();
    const bodies = [
      { type: "template", template: { template_submission_id: template.id, variables: { "1": "Ana" } } },
      { type: "image", media: { storage_key: upload.storageKey }, text: { body: "Look" } },
    ] as const;
    await openConversation(ctx, world.channelId, handle);
    for (const said of bodies) {
      const input = { client_message_id: randomUUID(), to: { kind: "whatsapp", handle }, ...said } as const;
      const { message_id } = await sendMessage({ ctx, input });
      const again = await resend(await fail(message_id, "upstream_unavailable"));
      const { content } = (await rowOf(again.messageId)) ?? {};
      expect(content).toMatchObject(said);
      expect(content).not.toHaveProperty("to");
      expect(again.threadId).toBe((await rowOf(message_id))?.threadId);
    }
  });

  test("is in the audit log, without what was said", async () => {
    const id = await failedWith("upstream_unconfirmed");
    const { messageId } = await resend(id, { acceptRisk: true });
    const rows = await world.sql`
      select action, actor_id as "actorId", detail from audit_log
      where subject_kind = 'message' and subject_id = ${messageId}`;
    expect([...rows]).toEqual([
      {
        action: "message.resent",
        actorId: member.actor.memberId,
        detail: { resendOf: id, errorCode: "upstream_unconfirmed", acceptRisk: true },
      },
    ]);
  });

  test("takes no unit of any key's limit, and needs none", async () => {
    const key = await asKey(ctx, { sendLimit: 1 });
    const id = await fail(await queueText(key, threadId), "expired");
    await resend(id);
    expect(await codeOf(resend(id, { acceptRisk: true }))).toBeNull();
  });

  test("however often one click is sent, at once or later, makes one message and one row of the audit log", async () => {
    const id = await failedWith("expired");
    const token = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => resend(id, { token })));
    answers.push(await resend(id, { token: token.toUpperCase() }));
    expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1);
    expect(answers.filter(({ isRepeat }) => !isRepeat)).toHaveLength(1);
    expect(await resendsOf(id)).toHaveLength(1);
    const madeId = answers[0]?.messageId ?? null;
    expect(await world.sql`select 1 from audit_log where subject_id = ${madeId}`).toHaveLength(1);
  });

  test("across processes too", async () => {
    const id = await failedWith("expired");
    const token = randomUUID();
    // Services separate from the first ones: they share neither batches nor in-flight calls.
    const elsewhere = Array.from({ length: 4 }, () => ({ ...member, services: { ...world.services } }));
    const answers = await Promise.all(elsewhere.map((as) => resend(id, { token, as })));
    expect(new Set(answers.map(({ messageId }) => messageId)).size).toBe(1);
    expect(await resendsOf(id)).toHaveLength(1);
  });

  test("of another message under the same click is refused, also where both say the same", async () => {
    const token = randomUUID();
    await resend(await failedWith("expired"), { token });
    expect(await codeOf(resend(await failedWith("expired"), { token }))).toBe("idempotency_key_reused");
  });

  test("of ten people at once sends one message, and the others are told", async () => {
    const id = await failedWith("expired");
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(resend(id))));
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set([null, "message_not_resendable"]));
    expect(await resendsOf(id)).toHaveLength(1);
  });

  test("once more takes that it may arrive twice, unless all that was sent again has failed", async () => {
    const id = await failedWith("expired");
    const first = await resend(id);
    expect(await errorOf(resend(id))).toMatchObject({
      code: "message_not_resendable",
      field: "acceptRisk",
    });
    await fail(first.messageId, "upstream_unavailable");
    const second = await resend(first.messageId);
    expect(await rowOf(second.messageId)).toMatchObject({ resendOf: first.messageId });
    expect(await errorOf(resend(id))).toMatchObject({ field: "acceptRisk" });
    await fail(second.messageId, "expired");
    await resend(id);
    await resend(id, { acceptRisk: true });
  });
});

describe("the rules of sending hold anew", () => {
  test("a closed customer window refuses", async () => {
    const { threadId: closed } = await openConversation(ctx, world.channelId);
    const id = await fail(await queueText(ctx, closed), "outside_customer_window");
    await world.sql`update conversations set last_inbound_at = now() - interval '25 hours' where id = ${closed}`;
    expect(await codeOf(resend(id))).toBe("outside_customer_window");
    await world.sql`update conversations set last_inbound_at = now() where id = ${closed}`;
    expect(await codeOf(resend(id))).toBeNull();
  });

  test("a file that is gone, and a channel that is disabled, refuse", async () => {
    const upload = await addUpload(ctx);
    const { message_id } = await sendMessage({
      ctx,
      input: {
        client_message_id: randomUUID(),
        type: "image",
        thread_id: threadId,
        media: { storage_key: upload.storageKey },
      },
    });
    await world.sql`update uploads set expires_at = now() where id = ${upload.id}`;
    const id = await fail(message_id, "expired");
    expect(await codeOf(resend(id))).toBe("invalid_media");
    await world.sql`update channels set disabled_at = now() where id = ${world.channelId}`;
    expect(await codeOf(resend(id))).toBe("channel_forbidden");
    await world.sql`update channels set disabled_at = null where id = ${world.channelId}`;
  });
});

describe("is refused", () => {
  const fieldsOfRefusals = {
    never: { plain: "messageId", atRisk: "messageId" },
    may_duplicate: { plain: "acceptRisk", atRisk: null },
    later: { plain: null, atRisk: null },
    safe: { plain: null, atRisk: null },
  } as const satisfies Record<ResendAdvice, object>;

  test.each(FAILURE_CODES)(
    "or not, of a message that failed with %s, by that code's verdict",
    async (code) => {
      const { resend: explanation, resendAfterSeconds = 0 } = catalogueEntry(code);
      const id = await failedWith(code, new Date(Date.now() - resendAfterSeconds * 1000 - 1000));
      const fieldOf = (call: Promise<unknown>) =>
        call.then(
          () => null,
          (error: unknown) => (isWaypostError(error) ? error.field : error),
        );
      const plain = await fieldOf(resend(id));
      const atRisk = await fieldOf(resend(id, { acceptRisk: true }));
      expect({ plain, atRisk }).toEqual(fieldsOfRefusals[explanation]);
    },
  );

  test("before the time from which it may be, which the refusal names", async () => {
    const failedAt = new Date();
    const error = await errorOf(resend(await failedWith("engagement_limited", failedAt)));
    expect(error).toMatchObject({ code: "message_not_resendable", resend: "later" });
    expect(error.resendAfter).toEqual(new Date(failedAt.getTime() + 86_400_000));
  });

  test.each(["queued", "sent", "delivered", "read"])("of a message that is %s", async (state) => {
    const id = await queueText(ctx, threadId);
    await world.sql`update messages set state = ${state} where id = ${id}`;
    expect(await codeOf(resend(id, { acceptRisk: true }))).toBe("message_not_resendable");
  });

  test("of one that waits for confirmation, unless the risk is accepted", async () => {
    const id = await queueText(ctx, threadId);
    await world.sql`update messages set in_doubt_since = now() where id = ${id}`;
    expect(await errorOf(resend(id))).toMatchObject({ field: "acceptRisk" });
    expect(await codeOf(resend(id, { acceptRisk: true }))).toBeNull();
  });

  test("of one that is erased, with its contact or by itself", async () => {
    const { threadId: gone, contactId } = await openConversation(ctx, world.channelId);
    const [one, other] = [await queueText(ctx, gone), await failedWith("expired")];
    await eraseContact({ ctx, input: { contactId } });
    await world.sql.begin((tx) => eraseMessages(tx, ctx.actor.organizationId, [other]));
    for (const id of [one, other]) expect(await codeOf(resend(id))).toBe("message_not_resendable");
  });

  test("alike for an unknown, a malformed and another organization's id, and for a customer's message", async () => {
    const foreign = await asMember(await createTestOrganization(world.services), "owner");
    const id = await failedWith("expired");
    const [inbound] = await world.sql<{ id: string }[]>`
      select id from messages where conversation_id = ${threadId} and kind = 'inbound'`;
    const refusals = await Promise.all([
      errorOf(resend(id, { as: foreign })),
      errorOf(resend(randomUUID())),
      errorOf(resend("x")),
      errorOf(resend(inbound?.id ?? "")),
    ]);
    expect(new Set(refusals.map(({ code, message, field }) => `${code} ${message} ${field}`)).size).toBe(1);
    expect(refusals[0]?.code).toBe("message_not_found");
  });

  test("to a key, whatever its scopes; owners, admins and agents may", async () => {
    const id = await failedWith("expired");
    expect(await codeOf(resend(id, { as: await asKey(ctx) }))).toBe("permission_denied");
    for (const role of ["owner", "admin", "agent"] as const) {
      const another = await failedWith("expired");
      expect(await codeOf(resend(another, { as: await asMember(ctx, role) }))).toBeNull();
    }
  });
});
