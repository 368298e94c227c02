import { rotateKey, showConversation } from "@/e2e/support/cli";
import { ledgerEntriesOf } from "@/e2e/support/simulator";
import { LONG_READ, until } from "@/e2e/support/until";
import { ACCEPTED, send, sendAs, type Journey } from "./scenario";
import type { World } from "./world";

/** The longest possible `Retry-After`: the limiter counts whole seconds, the current one and sixty before it. */
const RETRY_AFTER_SECONDS_MAX = 61;

const ofLimits: readonly Journey[] = [
  {
    name: "lets the very request that was limited through after Retry-After",
    only: "next",
    async run(world, expect) {
      // The world's first message used its only unit.
      const limited = sendAs(world.keys.oneSendForWaiting, world);
      const error = await world.api.call(limited);
      expect(error.status).toBe(429);
      const retryAfter = Number(error.headers["retry-after"]);
      expect(retryAfter).toBeLessThanOrEqual(RETRY_AFTER_SECONDS_MAX);
      const retryAt = performance.now() + retryAfter * 1000;
      const isOver = () => performance.now() >= retryAt;
      await until("Retry-After is over", isOver, { timeoutMs: 2 * RETRY_AFTER_SECONDS_MAX * 1000 });
      expect((await world.api.call(limited)).status).toBe(201);
    },
  },
  {
    name: "tells the end of a limit as a Unix time within the window",
    async run(world, expect) {
      const { headers } = await world.api.call({ path: "/ping", key: world.other.api_key.secret });
      const secondsAway = Number(headers["x-ratelimit-reset"]) - Date.now() / 1000;
      expect(secondsAway).toBeGreaterThan(0);
      expect(secondsAway).toBeLessThanOrEqual(RETRY_AFTER_SECONDS_MAX);
    },
  },
  {
    name: "keeps a key's limit used up when the key gets a new secret",
    async run(world, expect) {
      const key = world.keys.oneSendForRotation;
      expect((await world.api.call(sendAs(key, world))).status).toBe(201);
      const rotated = await rotateKey(world.server, key.id);
      const error = await world.api.call(sendAs(rotated, world, { client_message_id: `${world.id}-2` }));
      expect(error).toMatchObject({ status: 429, code: "rate_limited" });
    },
  },
];

const ofMessages: readonly Journey[] = [
  {
    name: "leaves a closed conversation closed and assigned when a message is sent to it",
    async run(world, expect) {
      const { server, api } = world;
      const { thread_id: threadId, assignee_id: assigneeId } = world.demo.threads.closed_and_assigned;
      const before = await showConversation(server, threadId);
      const answer = await api.call(send(world, { to: undefined, thread_id: threadId }));
      expect(answer).toMatchObject(ACCEPTED);
      await untilHandedOver(world, JSON.parse(answer.text).message_id);
      expect(before).toMatchObject({ status: "closed", assignee_id: assigneeId });
      expect(await showConversation(server, threadId)).toEqual(before);
    },
  },
  {
    name: "hands the text over once, unchanged, to the contact's number",
    async run(world, expect) {
      const body = " Grüße\n\tan 👩‍👩‍👧‍👦 שלום ";
      const answer = await world.api.call(send(world, { text: { body } }));
      const { message_id: id } = JSON.parse(answer.text);
      await untilHandedOver(world, id);
      const repeat = await world.api.call(send(world, { text: { body } }));
      expect(repeat.body).toMatchObject({ message_id: id, deduplicated: true });
      const to = world.demo.contacts.open_window.handle;
      const entries = await ledgerEntriesOf(world.server.simulatorUrl, id);
      expect(entries).toEqual([expect.objectContaining({ to, type: "text", body })]);
    },
  },
  {
    name: "tells the present state in a repeat",
    async run(world, expect) {
      const sent = await world.api.call(send(world));
      const repeatOfRead = async () => {
        const repeat = await world.api.call(send(world));
        return JSON.parse(repeat.text).delivery_state === "read" ? repeat : null;
      };
      const repeat = await until("a repeat says that the message was read", repeatOfRead, LONG_READ);
      const original = JSON.parse(sent.text);
      expect(repeat.body).toEqual({ ...original, delivery_state: "read", deduplicated: true });
    },
  },
];

const ofSecrecy: readonly Journey[] = [
  {
    name: "names every request, each by a name of its own",
    async run({ api, keys }, expect) {
      const request = {
        path: "/ping",
        key: keys.main.secret,
        headers: { "X-Request-Id": "the-client's-own" },
      };
      const answers = await Promise.all(Array.from({ length: 10 }, () => api.call(request)));
      expect(new Set(answers.map(({ headers }) => headers["x-request-id"])).size).toBe(10);
    },
  },
  {
    name: "never tells a key back, nor logs it, but for its prefix",
    async run({ api, keys, server }, expect) {
      const secrets = [keys.main.secret, keys.revoked.secret, keys.main.secret.slice(0, -1)];
      const answers = await Promise.all(secrets.map((key) => api.call({ path: "/ping", key })));
      const reported = answers.map(({ text, headers }) => text + JSON.stringify(headers)).join("\n");
      const output = await server.output();
      for (const secret of secrets) {
        const inner = secret.slice(20, 40);
        expect(reported).not.toContain(inner);
        expect(output).not.toContain(inner);
      }
    },
  },
];

/** Rules that need time, the upstream's ledger or an operator's command to test. */
export const journeys: readonly Journey[] = [...ofLimits, ...ofMessages, ...ofSecrecy];

function untilHandedOver({ server }: World, messageId: string): Promise<unknown> {
  const isThere = async () => (await ledgerEntriesOf(server.simulatorUrl, messageId)).length > 0;
  return until("the message is in the ledger", isThere, LONG_READ);
}
