import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  asKey,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
} from "@/server/domain/messages/testing";
import type { Context } from "./context";
import type { KeyActor } from "./actor";
import { procedure } from "./procedure";
import { appRouter } from "@/server/edge/trpc/router";
import { t } from "./trpc";

let world: SendWorld;
let messageId: string;

beforeAll(async () => {
  world = await openSendWorld();
  messageId = await queueText(world.ctx, (await openConversation(world.ctx, world.channelId)).threadId);
});
afterAll(() => world.close());

const callerOf = t.createCallerFactory(appRouter);

/** A key with this many reads a minute, and the rate-limit headers that it received. */
async function keyWith(readLimit: number) {
  const ctx: Context<KeyActor> = await asKey(world.ctx, { readLimit, scopes: ["messages:read"] });
  const remaining: string[] = [];
  const noteRate: Context["noteRate"] = (headers) => void remaining.push(headers["X-RateLimit-Remaining"]);
  return { caller: callerOf({ ...ctx, noteRate }), remaining };
}

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => "answered",
    (error: Error) => (error.cause instanceof Error && "code" in error.cause ? error.cause.code : error),
  );

describe("a read that is done while its unit is taken", () => {
  test("is answered as long as there are units, with what is left", async () => {
    const { caller, remaining } = await keyWith(2);
    expect(await caller.messages.get({ id: messageId })).toMatchObject({ message_id: messageId });
    expect(await caller.messages.get({ id: messageId })).toMatchObject({ message_id: messageId });
    expect(remaining).toEqual(["1", "0"]);
  });

  test("tells nothing without a unit: not the message, and not that there is none", async () => {
    const { caller, remaining } = await keyWith(1);
    await caller.messages.get({ id: messageId });
    expect(await errorOf(caller.messages.get({ id: messageId }))).toBe("rate_limited");
    expect(await errorOf(caller.messages.get({ id: randomUUID() }))).toBe("rate_limited");
    expect(remaining).toEqual(["0"]);
  });

  test("uses a unit up where it finds nothing, or was asked wrongly", async () => {
    const { caller, remaining } = await keyWith(5);
    expect(await errorOf(caller.messages.get({ id: randomUUID() }))).toBe("message_not_found");
    expect(await errorOf(caller.messages.get({ id: "x\0" }))).toBe("validation_failed");
    expect(remaining).toEqual(["4", "3"]);
  });
});

test("a read that may cost more isn't begun without a unit", async () => {
  let begun = 0;
  const router = t.router({
    costly: procedure({
      openapi: { method: "GET", path: "/costly", operationId: "costly", summary: "Costly", tags: ["Keys"] },
      capability: "messages.read",
      bucket: "read",
      status: 200,
      statuses: [200],
      errors: ["rate_limited"],
    }).query(() => (begun += 1)),
  });
  const caller = t.createCallerFactory(router)(
    await asKey(world.ctx, { readLimit: 1, scopes: ["messages:read"] }),
  );
  expect(await caller.costly()).toBe(1);
  expect(await errorOf(caller.costly())).toBe("rate_limited");
  expect(begun).toBe(1);
});
