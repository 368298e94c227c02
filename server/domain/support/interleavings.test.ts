import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { getMessage } from "@/server/domain/messages/read/get";
import { applyStatuses } from "@/server/domain/messages/status/apply-statuses";
import {
  asKey,
  newHandle,
  openConversation,
  openSendWorld,
  queueText,
  type SendWorld,
  startCall,
} from "@/server/domain/messages/testing";
import { markRead } from "@/server/domain/messages/marks/mark-read";
import type { InboundContent } from "@/server/adapters/whatsapp/inbound-content";
import { receiveMessage } from "@/server/domain/messages/receive/receive";
import { asMember } from "@/server/domain/organizations/testing";
import { parseInput } from "@/server/core/input/parse-input";
import { readConversationTimeline, timelineInput } from "./timeline";

let world: SendWorld;
let ctx: Context<SystemActor>;

beforeAll(async () => {
  world = await openSendWorld();
  ({ ctx } = world);
});
afterAll(() => world.close());

const RUNS = 12;
const STATUSES = ["sent", "delivered", "read"] as const;
const said = (body: string): InboundContent => ({ type: "text", text: { body } });

/** Messages of the customer, oldest first: the position is the second in which it was written. */
function contentsOf(outboundId: string, wamid: (name: string) => string) {
  return {
    first: said("Hello"),
    quoteOfOurs: { ...said("This one"), reply_to: { upstream_id: outboundId } },
    quoteOfTheirs: { ...said("I mean"), reply_to: { upstream_id: wamid("first") } },
    liked: { type: "reaction", reaction: { upstream_id: outboundId, emoji: "👍" } },
    loved: { type: "reaction", reaction: { upstream_id: outboundId, emoji: "❤️" } },
    reactionTakenBack: { type: "reaction", reaction: { upstream_id: wamid("first"), emoji: null } },
    edited: { type: "edit", edits: { upstream_id: wamid("first"), content: said("Hello, shop") } },
    quoteOfUnknown: { ...said("And that?"), reply_to: { upstream_id: "wamid.unknown" } },
  } as const satisfies Record<string, InboundContent>;
}

const NAMES = [
  "first",
  "quoteOfOurs",
  "quoteOfTheirs",
  "liked",
  "loved",
  "reactionTakenBack",
  "edited",
  "quoteOfUnknown",
] as const;

type Step =
  | { readonly kind: "inbound"; readonly name: (typeof NAMES)[number] }
  | { readonly kind: "status"; readonly status: (typeof STATUSES)[number] }
  | { readonly kind: "mark"; readonly name: (typeof NAMES)[number] };

const STEPS: readonly Step[] = [
  ...NAMES.map((name) => ({ kind: "inbound", name }) as const),
  ...STATUSES.map((status) => ({ kind: "status", status }) as const),
  { kind: "mark", name: "first" },
  { kind: "mark", name: "quoteOfTheirs" },
];

/** Plays the steps in a conversation of its own. @returns the conversation, with names in place of ids. */
async function play(steps: readonly Step[]) {
  const { threadId, handle } = await openConversation(ctx, world.channelId, newHandle());
  const sentId = await queueText(ctx, threadId);
  await startCall(world, sentId);
  const outboundId = `wamid.${sentId}`;
  const run = randomUUID();
  const wamid = (name: string) => `wamid.${run}.${name}`;
  const contents = contentsOf(outboundId, wamid);
  const began = Date.now() - 3_600_000;
  const ids = new Map<string, string>();
  const missed: Step[] = [];
  const apply = async (step: Step) => {
    if (step.kind === "inbound") {
      const { messageId } = await receiveMessage({
        ctx,
        input: {
          channelId: world.channelId,
          from: { number: handle, userId: null, parentUserId: null },
          profileName: null,
          upstreamId: wamid(step.name),
          content: contents[step.name],
          at: new Date(began + NAMES.indexOf(step.name) * 1_000),
          opensWindow: true,
          becomes: null,
        },
      });
      ids.set(step.name, messageId);
    } else if (step.kind === "status") {
      const report = {
        upstreamId: outboundId,
        messageId: sentId,
        upstreamAt: null,
        recipient: null,
        errorCode: null,
      };
      const reports = [{ ...report, kind: step.status, detail: null }];
      await applyStatuses({ ctx, input: { channelId: world.channelId, reports } });
    } else {
      const id = ids.get(step.name);
      // Nobody can mark a message that isn't there yet: it is marked once it is.
      if (id === undefined) missed.push(step);
      else await markRead({ ctx, input: { id } });
    }
  };
  for (const step of steps) await apply(step);
  for (const step of missed) await apply(step);
  return shapeOf({ threadId, sentId, outboundId, ids, wamid });
}

interface Played {
  readonly threadId: string;
  readonly sentId: string;
  readonly outboundId: string;
  readonly ids: ReadonlyMap<string, string>;
  readonly wamid: (name: string) => string;
}

async function shapeOf({ threadId, sentId, outboundId, ids, wamid }: Played) {
  const key = await asKey(ctx, { scopes: ["messages:read"] });
  const named = (text: string) =>
    [...ids].reduce(
      (part, [name, id]) => part.replaceAll(id, `id of ${name}`).replaceAll(wamid(name), `wamid of ${name}`),
      text.replaceAll(outboundId, "wamid of ours").replaceAll(sentId, "id of ours"),
    );
  const shown = await Promise.all(
    [["ours", sentId] as const, ...ids].map(async ([name, id]) => {
      const { direction, type, content, reply_to, delivery_state, error } = await getMessage({
        ctx: key,
        input: { id },
      });
      return [name, { direction, type, content, reply_to, delivery_state, error }] as const;
    }),
  );
  const [conversation] = await world.sql`
    select count(*)::int as messages, v.last_inbound_at = max(m.upstream_at) as "isWindowOfNewest",
      (select r.message_id from read_marks r where r.conversation_id = v.id) = any(array(
        select l.id from messages l where l.conversation_id = v.id
          and l.id in (${ids.get("first") ?? ""}, ${ids.get("quoteOfTheirs") ?? ""})
        order by l.accept_seq desc limit 1)) as "isLatestMarked"
    from conversations v join messages m on m.conversation_id = v.id where v.id = ${threadId} group by v.id`;
  const { data } = await readConversationTimeline({
    ctx: await asMember(ctx, "agent"),
    input: parseInput(timelineInput, { threadId, limit: "50" }),
  });
  const own = new Set([sentId, ...ids.values()]);
  const touched = data.flatMap((entry) => {
    if (entry.kind !== "message" || !own.has(entry.id)) return [];
    const { reactions, edit } = entry.aftermath;
    return [[entry.id, { reactions, edited: edit?.body }] as const];
  });
  const byName = Object.fromEntries(shown.toSorted(([one], [other]) => one.localeCompare(other)));
  return JSON.parse(named(JSON.stringify({ byName, conversation, touched: Object.fromEntries(touched) })));
}

test("callbacks in any order, and doubled, give the same conversation", async () => {
  const inOrder = await play(STEPS);
  expect(inOrder.conversation).toMatchObject({
    messages: NAMES.length + 2,
    isWindowOfNewest: true,
    isLatestMarked: true,
  });
  expect(inOrder.byName.ours).toMatchObject({ delivery_state: "read" });
  expect(inOrder.byName.quoteOfOurs.reply_to).toEqual({
    message_id: "id of ours",
    upstream_id: "wamid of ours",
  });
  expect(inOrder.byName.loved.content.reaction.message_id).toBe("id of ours");
  expect(inOrder.touched["id of ours"].reactions).toMatchObject([{ by: "customer", emoji: "❤️" }]);
  expect(inOrder.touched["id of first"]).toEqual({ reactions: [], edited: "Hello, shop" });
  const orders = fc.shuffledSubarray([...STEPS, ...STEPS], { minLength: STEPS.length * 2 });
  await fc.assert(
    fc.asyncProperty(orders, async (steps) => {
      expect(await play(steps)).toEqual(inOrder);
    }),
    { numRuns: RUNS },
  );
});
