import { randomBytes, randomInt } from "node:crypto";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { authenticateKey } from "@/server/domain/keys/authenticate";
import { applyStatuses } from "@/server/domain/messages/status/apply-statuses";
import { type StatusReport } from "@/server/adapters/whatsapp/reports";
import { claimAndOpen } from "@/server/domain/messages/deliver/claim-and-open";
import { getMessage } from "@/server/domain/messages/read/get";
import { listMessages } from "@/server/domain/messages/read/list";
import { queueAge } from "@/server/domain/messages/read/queue-age";
import { recordOutcomes } from "@/server/domain/messages/deliver/record-outcomes";
import { sendMessage } from "@/server/domain/messages/send/send";
import {
  recordIntakeHeartbeat,
  sweepOldStatuses,
  notifyDueChannelsOften,
} from "@/server/domain/messages/sweep";
import { sweepDueWork } from "@/server/domain/sweep";
import { enforceRetention } from "@/server/domain/retention/enforce";
import { notifyDueEndpoints } from "@/server/domain/webhooks/sweep";
import { notifyDueCallbacks } from "@/server/domain/callbacks/due";
import { processCallbacks } from "@/server/domain/callbacks/process";
import { customersOf } from "./fill-messages";
import { BATCH, type Operation, straight } from "./operation";
import { WEBHOOK_OPERATIONS } from "./webhook-operations";
import type { GrowthWorld } from "./world";

const listWith =
  (filter: (world: GrowthWorld) => Promise<Partial<Parameters<typeof listMessages>[0]["input"]>>) =>
  async (world: GrowthWorld) => {
    const input = { limit: 50, direction: "outbound" as const, ...(await filter(world)) };
    return () => listMessages({ ctx: world.key, input });
  };

export const OPERATIONS = {
  authenticate: {
    title: "a key is checked",
    open: straight(({ services, secret }) =>
      authenticateKey({ services, authorization: undefined, xApiKey: secret }),
    ),
  },
  accept: {
    title: "POST /messages, to a known contact",
    async open(world) {
      const { handle } = await anyCustomer(world);
      return () => sendMessage({ ctx: world.key, input: textTo(handle) });
    },
  },
  acceptUnknown: {
    title: "POST /messages, to a new contact",
    open: async (world) => () =>
      sendMessage({
        ctx: world.key,
        input: {
          client_message_id: newClientId(),
          type: "template",
          to: { kind: "whatsapp", handle: `49171${randomInt(10 ** 8, 10 ** 9)}` },
          template: { template_submission_id: world.templateId },
        },
      }),
  },
  repeat: {
    title: "POST /messages, repeated",
    async open(world) {
      const input = textTo((await anyCustomer(world)).handle);
      await sendMessage({ ctx: world.key, input });
      return () => sendMessage({ ctx: world.key, input });
    },
  },
  get: {
    title: "GET /messages/{id}",
    async open(world) {
      const { id } = await anyMessage(world);
      return () => getMessage({ ctx: world.key, input: { id } });
    },
  },
  list: { title: "GET /messages", open: listWith(async () => ({})) },
  listOfState: { title: "GET /messages?state=failed", open: listWith(async () => ({ state: ["failed"] })) },
  listOfClientId: {
    title: "GET /messages?client_message_id=",
    open: listWith(async (world) => ({ client_message_id: (await anyMessage(world)).clientMessageId })),
  },
  listSince: {
    title: "GET /messages?since=&until=",
    open: listWith(async (world) => {
      const { since, until } = await anyTime(world);
      return { since: since.toISOString(), until: until.toISOString() };
    }),
  },
  handOver: {
    title: "claim, attempts, outcomes",
    open: straight(async ({ services, channelId }) => {
      const { opened } = await claimAndOpen(services, channelId, BATCH);
      if (opened.length !== BATCH) throw new Error(`Only ${opened.length} messages could be claimed`);
      await recordOutcomes(
        services,
        opened.map(({ attemptId, messageId }) => ({
          attemptId,
          messageId,
          outcome: { kind: "accepted", upstreamId: newWamid(), detail: ANSWERED },
        })),
      );
    }),
  },
  mergeStatuses: {
    title: "statuses of callbacks are merged",
    async open(world) {
      const reports = await reportsOfSent(world);
      const { key, channelId } = world;
      const actor: SystemActor = { kind: "system", organizationId: key.actor.organizationId, job: "bench" };
      const ctx: Context<SystemActor> = { ...key, actor };
      return () => applyStatuses({ ctx, input: { channelId, reports } });
    },
  },
  processCallbacks: {
    title: "callbacks that wait are looked for",
    open: straight(({ services, channelId }) => processCallbacks(services, channelId)),
  },
  watch: {
    title: "the look of every 250 ms",
    open: straight(async ({ services }) => {
      await notifyDueChannelsOften(services);
      await notifyDueCallbacks(services);
      await notifyDueEndpoints(services);
    }),
  },
  sweep: {
    title: "the sweep of every 10 s",
    open: straight(async ({ services }) => {
      await sweepDueWork(services);
      await recordIntakeHeartbeat(services);
    }),
  },
  sweepOldStatuses: {
    title: "the sweep of every hour",
    open: straight(({ services }) => sweepOldStatuses(services)),
  },
  queueAge: { title: "the queue's age", open: straight(({ services }) => queueAge(services.sql)) },
  ...WEBHOOK_OPERATIONS,
  retention: {
    title: "what is old is looked for",
    open: straight(({ services }) => enforceRetention(services)),
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

/** Returns operations whose cost should be constant from that many messages on; all if absent. */
export function operationNames(messages = Number.POSITIVE_INFINITY): OperationName[] {
  const operations: Readonly<Record<OperationName, Operation>> = OPERATIONS;
  return Object.keys(OPERATIONS)
    .filter((name): name is OperationName => Object.hasOwn(OPERATIONS, name))
    .filter((name) => (operations[name].flatFrom ?? 0) <= messages);
}

const ANSWERED = { httpStatus: 200, upstreamCode: null, reason: "accepted" } as const;

const newClientId = () => randomBytes(16).toString("hex");
const newWamid = () => `wamid.${randomBytes(32).toString("base64")}`;

function textTo(handle: string) {
  return {
    client_message_id: newClientId(),
    type: "text" as const,
    to: { kind: "whatsapp" as const, handle },
    text: { body: "Your parcel is on its way and will be with you today." },
  };
}

/** A customer of the large organization's first channel. */
async function anyCustomer({ admin, channelId, anySequence }: GrowthWorld): Promise<{ handle: string }> {
  const [row] = await admin<{ handle: string }[]>`
    select handle from growth_customers where channel_id = ${channelId} and n >= ${customersOf(anySequence())}
    order by n limit 1`;
  return known(row);
}

/** A sent message on the large organization's first channel. */
async function anyMessage({ admin, channelId, key, anySequence }: GrowthWorld) {
  const [row] = await admin<{ id: string; clientMessageId: string; createdAt: Date }[]>`
    select id, client_message_id as "clientMessageId", created_at as "createdAt" from messages
    where organization_id = ${key.actor.organizationId} and accept_seq > 0 and accept_seq > ${anySequence()}
      and channel_id = ${channelId} and client_message_id is not null
    order by accept_seq limit 1`;
  return known(row);
}

/** A time range with a hundred of the organization's messages. */
async function anyTime({ admin, key, anySequence }: GrowthWorld): Promise<{ since: Date; until: Date }> {
  const [row] = await admin<{ since: Date; until: Date }[]>`
    select min(created_at) as since, max(created_at) as until from (
      select created_at from messages
      where organization_id = ${key.actor.organizationId} and accept_seq > 0 and accept_seq > ${anySequence()}
      order by accept_seq limit 100) hundred`;
  return known(row);
}

/** Delivery reports for sent messages. */
async function reportsOfSent({ admin, channelId, key, anySequence }: GrowthWorld): Promise<StatusReport[]> {
  const rows = await admin<{ id: string; upstreamId: string }[]>`
    select id, upstream_id as "upstreamId" from messages
    where organization_id = ${key.actor.organizationId} and accept_seq > 0 and accept_seq > ${anySequence()}
      and channel_id = ${channelId} and state = 'sent'
    order by accept_seq limit ${BATCH}`;
  if (rows.length !== BATCH) throw new Error("There are too few messages that are sent");
  return rows.map(({ id, upstreamId }, position) => ({
    upstreamId,
    // Callbacks don't always include our id.
    messageId: position % 2 === 0 ? id : null,
    kind: "delivered",
    upstreamAt: new Date(),
    recipient: null,
    errorCode: null,
    detail: null,
  }));
}

function known<T>(row: T | undefined): T {
  if (row === undefined) throw new Error("The database is empty");
  return row;
}
