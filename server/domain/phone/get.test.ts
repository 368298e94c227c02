import type { RequestListener } from "node:http";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { servicesWith } from "@/server/core/testing";
import { asKey, codeOf } from "@/server/domain/messages/testing";
import { asMember, createTestOrganization } from "@/server/domain/organizations/testing";
import { serveOnLoopback } from "@/server/edge/http/testing";
import { getPhone } from "./get";
import { askSimulator } from "./simulated-channel";
import { openPhoneWorld, type PhoneWorld } from "./testing";

let world: PhoneWorld;
beforeAll(async () => void (world = await openPhoneWorld()));
afterAll(() => world.close());

const text = (body: string) => ({ type: "text", text: { body } });

test("shows what the simulator's phone shows, and with a cursor only what has changed", async () => {
  const { agent: ctx, send } = world;
  const phone = world.newPhone();
  const wamid = await send(phone.customer, text("Hello"));
  await vi.waitFor(async () => {
    const { messages } = await getPhone({ ctx, input: { ...phone, after: null } });
    expect(messages).toMatchObject([
      { id: wamid, from: "business", state: "read", bubble: { text: "Hello" } },
    ]);
  });
  const whole = await getPhone({ ctx, input: { ...phone, after: null } });
  expect(whole).toMatchObject({ is_whole: true, business: { display_phone_number: "+1 555 0100" } });
  const changed = await getPhone({ ctx, input: { ...phone, after: whole.cursor } });
  expect(changed).toMatchObject({ is_whole: false, messages: [], customer: phone.customer });
  const spelled = await getPhone({ ctx, input: { ...phone, customer: `+${phone.customer}`, after: null } });
  expect(spelled.messages).toHaveLength(1);
});

test("isn't there for another organization's channel, a channel at Meta, a key and what is no number", async () => {
  const { agent, ctx, atMeta, services, newPhone } = world;
  const input = { ...newPhone(), after: null };
  const other = await asMember(await createTestOrganization(services), "owner");
  expect(await codeOf(getPhone({ ctx: other, input }))).toBe("channel_not_found");
  expect(await codeOf(getPhone({ ctx: agent, input: { ...input, channelId: "x" } }))).toBe(
    "channel_not_found",
  );
  expect(await codeOf(getPhone({ ctx: agent, input: { ...input, channelId: atMeta } }))).toBe(
    "phone_not_available",
  );
  expect(await codeOf(getPhone({ ctx: await asKey(ctx), input }))).toBe("permission_denied");
  expect(await codeOf(getPhone({ ctx: agent, input: { ...input, customer: "Ada" } }))).toBe(
    "validation_failed",
  );
});

/** The agent, whose simulator answers in this way. */
async function agentOf(listener: RequestListener) {
  const server = await serveOnLoopback(listener);
  onTestFinished(() => server.close());
  const services = servicesWith(world.services, { urls: { upstream: () => server.url } });
  return { ...world.agent, services };
}

const misbehaviours: readonly { how: string; listener: RequestListener }[] = [
  { how: "no JSON", listener: (_, response) => response.end("<html>") },
  { how: "another shape", listener: (_, response) => response.end('{"messages":[{"id":7}]}') },
  { how: "a failure", listener: (_, response) => response.writeHead(500).end("{}") },
  { how: "a redirect", listener: (_, response) => response.writeHead(302, { location: "/" }).end() },
  { how: "a closed connection", listener: (request) => request.socket.destroy() },
  { how: "a refusal without a reason", listener: (_, response) => response.writeHead(400).end("no") },
  {
    how: "an endless body",
    listener: (_, response) => {
      const chunk = "x".repeat(1_000_000);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    },
  },
];

test.each(misbehaviours)("a simulator that answers with $how is unavailable", async ({ listener }) => {
  const ctx = await agentOf(listener);
  expect(await codeOf(getPhone({ ctx, input: { ...world.newPhone(), after: null } }))).toBe("unavailable");
});

test("a simulator that doesn't answer in time, or that nobody knows, is unavailable", async () => {
  const ctx = await agentOf(() => undefined);
  const ask = askSimulator(ctx, { method: "GET", path: "/simulator/phone" }, { timeoutMs: 50 });
  expect(await codeOf(ask)).toBe("unavailable");
  const services = servicesWith(world.services, { urls: { upstream: () => null } });
  const unknown = getPhone({
    ctx: { ...world.agent, services },
    input: { ...world.newPhone(), after: null },
  });
  expect(await codeOf(unknown)).toBe("unavailable");
});
