import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import type { Context } from "@/server/core/context";
import { acceptMessage } from "@/server/domain/messages/send/accept";
import { drainChannel } from "@/server/domain/messages/deliver/drain";
import { getMessage } from "@/server/domain/messages/read/get";
import { recordOutcomes } from "@/server/domain/messages/deliver/record-outcomes";
import { sendMessage } from "@/server/domain/messages/send/send";
import {
  messageRow,
  openSendWorld,
  type SendWorld,
  startCall,
  textTo,
} from "@/server/domain/messages/testing";
import { enforceRetention } from "@/server/domain/retention/enforce";
import { placesOf } from "@/server/domain/retention/testing";
import { wamidOf } from "@/server/adapters/whatsapp/testing";
import { eraseContact } from "./erase-contact";
import {
  newPerson,
  reported,
  sendText,
  take,
  takeAndProcess,
  type TestPerson,
  writeUnderTwoNames,
} from "@/server/domain/contacts/testing";

let world: SendWorld;
let ana: TestPerson;

beforeAll(async () => void (world = await openSendWorld({ database: "own" })));
beforeEach(async () => void (ana = await newPerson(world)));
afterAll(() => world.close());

const places = (person = ana) => placesOf(world.sql, person.words);
const erase = (contactId: string, ctx: Context = world.ctx) => eraseContact({ ctx, input: { contactId } });
const callsOf = (ids: readonly string[]) =>
  world.upstream.calls.filter(({ messageId }) => ids.includes(messageId));

/** Hands over due messages, until the message has the state. */
async function drainUntil(id: string, state: string): Promise<void> {
  await until(`the message is ${state}`, async () => {
    await drainChannel(world.services, world.channelId);
    return (await messageRow(world, id)).state === state;
  });
}

async function auditOf(contactId: string) {
  return world.sql`select id from audit_log where action = 'contact.erased' and subject_id = ${contactId}`;
}

describe("messages of an erased contact", () => {
  test("that waited fail, are never handed over, and say why", async () => {
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    const ids = [await sendText(ana, threadId), await sendText(ana, threadId)];
    expect(await erase(contactId)).toMatchObject({ failed: 2 });
    await drainChannel(world.services, world.channelId);
    expect(callsOf(ids)).toEqual([]);
    for (const id of ids) {
      const { delivery_state, error } = await getMessage({ ctx: world.ctx, input: { id } });
      expect({ delivery_state, error }).toMatchObject({
        delivery_state: "failed",
        error: { code: "contact_erased", resend: "never" },
      });
    }
  });

  test("are still answered as they were: a repeat with 200, another body with 409 that tells no field", async () => {
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    const input = textTo(threadId, `erased-${threadId}`);
    const { message_id } = await sendMessage({ ctx: world.ctx, input });
    await erase(contactId);
    expect(await sendMessage({ ctx: world.ctx, input })).toMatchObject({
      message_id,
      deduplicated: true,
      delivery_state: "failed",
    });
    const other = sendMessage({ ctx: world.ctx, input: { ...input, text: { body: "Other" } } });
    await expect(other).rejects.toMatchObject({
      code: "idempotency_key_reused",
      message: `This \`client_message_id\` was already used for a different body, of message ${message_id}.`,
    });
  });

  const detail = (reason: string) => ({ httpStatus: 400, upstreamCode: 100, reason });

  test.each([
    ["accepted", "sent", { kind: "accepted", upstreamId: "wamid.open-1" }],
    ["rejected", "failed", { kind: "rejected", code: "upstream_rejected" }],
    ["uncertain", "queued", { kind: "uncertain" }],
    ["retry", "failed", { kind: "retry" }],
  ] as const)("keep the truth when their call was under way: %s is %s", async (_, state, outcome) => {
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    const id = await sendText(ana, threadId);
    const { attemptId } = await startCall(world, id);
    expect(await erase(contactId)).toMatchObject({ failed: 0 });
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", errorCode: null });
    await recordOutcomes(world.services, [
      { attemptId, messageId: id, outcome: { ...outcome, detail: detail(ana.quote) } },
    ]);
    await world.sql`update messages set next_attempt_at = now() where id = ${id} and next_attempt_at is not null`;
    await drainUntil(id, state);
    expect(callsOf([id])).toEqual([]);
    expect(await places()).toEqual([]);
  });

  test("in doubt stay so until something is heard of them", async () => {
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    const id = await sendText(ana, threadId);
    const { attemptId } = await startCall(world, id);
    const outcome = { kind: "uncertain", detail: detail(ana.quote) } as const;
    await recordOutcomes(world.services, [{ attemptId, messageId: id, outcome }]);
    expect(await erase(contactId)).toMatchObject({ failed: 0 });
    expect(await messageRow(world, id)).toMatchObject({ state: "queued", isInDoubt: true });
    await takeAndProcess(ana, reported(ana, "delivered", [id]));
    const row = await messageRow(world, id);
    expect(row).toMatchObject({ state: "delivered", isInDoubt: false, upstreamId: wamidOf(id) });
    expect(await places()).toEqual([]);
  });

  test("are settled by a status that was stored, and not yet processed, when the contact was erased", async () => {
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    const id = await sendText(ana, threadId);
    const { attemptId } = await startCall(world, id);
    const outcome = { kind: "uncertain", detail: detail(ana.quote) } as const;
    await recordOutcomes(world.services, [{ attemptId, messageId: id, outcome }]);
    await take(ana, reported(ana, "delivered", [id]));
    await erase(contactId);
    await takeAndProcess(ana);
    expect((await messageRow(world, id)).state).toBe("delivered");
    expect(await places()).toEqual([]);
  });

  test("accepted in the very moment are not handed over, and the next run of retention erases them", async () => {
    const { contactId, threadId } = await writeUnderTwoNames(ana);
    const { clientMessageId, ...message } = { ...textTo(threadId), clientMessageId: `late-${threadId}` };
    await erase(contactId);
    // The request had read the recipient before.
    const accepted = await acceptMessage(
      world.ctx,
      {
        clientMessageId,
        fingerprint: Buffer.from("late"),
        type: "text",
        content: { ...message, text: { body: ana.secret } },
        templateId: null,
        uploadId: null,
        resendOf: null,
      },
      {
        channelId: world.channelId,
        contactId,
        conversationId: threadId,
        recipient: ana.number,
        refusedUntil: null,
        isOptedOut: false,
        windowOpen: true,
        windowDenied: false,
      },
    );
    const id = accepted?.messageId ?? "";
    await drainUntil(id, "failed");
    expect(callsOf([id])).toEqual([]);
    expect(await messageRow(world, id)).toMatchObject({ state: "failed", errorCode: "contact_erased" });
    expect(await places()).toContain("messages.content");
    await enforceRetention(world.services);
    expect(await places()).toEqual([]);
    expect(await auditOf(contactId)).toHaveLength(1);
  });
});
