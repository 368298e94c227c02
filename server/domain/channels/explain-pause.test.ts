import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { inspectMessage } from "@/server/domain/messages/read/inspect";
import { openConversation, queueText } from "@/server/domain/messages/testing";
import {
  asMember,
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { UPSTREAM_CODES } from "@/server/adapters/whatsapp/outcomes";
import { explainPause, operatorRemedy } from "./explain-pause";
import { getChannel } from "./get";
import { listPausedChannels } from "./list-paused";
import { PAUSE_REASONS } from "@/server/adapters/whatsapp/pause-reasons";
import { readChannels } from "./view";

let world: TestWorld;
let ctx: Context<SystemActor>;
let member: Context;
let channelId: string;
let messageId: string;

beforeAll(async () => {
  world = await openTestWorld();
  ctx = await createTestOrganization(world.services);
  member = await asMember(ctx, "owner");
  channelId = await connectTestChannel(ctx);
  messageId = await queueText(ctx, (await openConversation(ctx, channelId)).threadId);
});
afterAll(() => world.close());

async function pause(reason: string, detail: Readonly<Record<string, unknown>> | null): Promise<void> {
  await world.database.sql`
    update channels set paused_at = now(), pause_reason = ${reason},
      pause_detail = ${detail === null ? null : JSON.stringify(detail)}::text::jsonb
    where id = ${channelId}`;
}

/** Returns the explanation and the remedy in every place where members read about the pause. */
async function places() {
  const all = world.database.sql`true`;
  const [listed] = await readChannels(member, { which: all, rowsMax: 10 });
  const {
    data: [banner],
  } = await listPausedChannels({ ctx: member });
  const page = await getChannel({ ctx: member, input: { channelId } });
  const message = await inspectMessage({ ctx: member, input: { messageId } });
  return {
    explanations: [listed?.pause, banner?.pause, page.pause, message.pause],
    explanation: message.explanation,
  };
}

const PAUSING = Object.entries(UPSTREAM_CODES).flatMap(([code, outcome]) =>
  outcome.retry === "channel" ? [{ code: Number(code), ...outcome }] : [],
);

test.each(PAUSING)(
  "a pause after WhatsApp's code $code is explained alike on the message's page, the channel's, in the banner and the list",
  async ({ code, pause: reason, said, nextStep }) => {
    await pause(reason, { upstreamCode: code });
    const { explanations, explanation } = await places();
    const { message, remedy } = explainPause(reason, code);
    expect(message).toBe(said);
    expect(remedy).toContain(nextStep);
    for (const explanation of explanations) expect(explanation).toMatchObject({ message, remedy });
    expect(explanation.whatHappened).toContain(message);
    expect(explanation.whatToDo).toContain(remedy);
    expect(operatorRemedy(reason, code, channelId)).toContain(remedy);
  },
);

describe("a pause without a code of WhatsApp's", () => {
  test.each(Object.entries(PAUSE_REASONS))("is explained by its reason %s", async (reason, words) => {
    await pause(reason, null);
    const { explanations, explanation } = await places();
    for (const explanation of explanations) {
      expect(explanation).toMatchObject({
        message: words.message,
        remedy: expect.stringContaining(words.remedy),
      });
    }
    expect(explanation.whatToDo).toContain(explanations[0]?.remedy);
  });

  test("and of a reason that only another version knows has no words", async () => {
    await pause("of_tomorrow", null);
    const { explanations, explanation } = await places();
    for (const explanation of explanations)
      expect(explanation).toMatchObject({ message: null, remedy: null });
    expect(explanation.whatToDo).toMatch(/^An admin has to fix the problem that the channel's page shows/);
    expect(operatorRemedy("of_tomorrow", null, channelId)).toBeNull();
  });
});
