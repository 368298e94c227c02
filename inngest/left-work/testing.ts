import { randomInt } from "node:crypto";
import { expect } from "vitest";
import { createPool } from "@/db/client";
import type { SystemActor } from "@/server/core/actor";
import { connectChannel } from "@/server/domain/channels/connect";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { registerWithSimulator } from "@/server/ops/demo/register";
import { handOver } from "@/server/domain/messages/deliver/hand-over";
import {
  claimDue,
  openConversation,
  queueImage,
  queueText,
  startCall,
} from "@/server/domain/messages/testing";
import { createTestOrganization } from "@/server/domain/organizations/testing";
import { submitTemplate } from "@/server/domain/templates/submit";
import { createUpload } from "@/server/domain/uploads/create";
import { fileOf, SAMPLES } from "@/server/domain/uploads/testing";
import { claimDeliveries } from "@/server/domain/webhooks/deliver/claim";
import { addDeliveries, addEndpoint } from "@/server/domain/webhooks/testing";
import { eventually } from "@/e2e/support/eventually";
import type { FunctionsWorld } from "../testing";
import { leaveFile, leaveMark } from "./testing-customer-messages";

/** A message that waits for a function, and its expected outcome. */
interface Waiting {
  readonly what: string;
  readonly id: string;
  /** How often the upstream has it in the end, and the maximum number of calls for it. */
  readonly upstream: 0 | 1;
  readonly callsMax: number;
  /** `queued` is in doubt. */
  readonly end: string;
}

/** An organization that has work for every function. */
export interface Work {
  readonly ctx: Context<SystemActor>;
  readonly channelId: string;
  readonly pausedChannelId: string;
  readonly templateId: string;
  /** Expired, and on the disk. */
  readonly uploadId: string;
  /** A customer's file that the upstream has. */
  readonly fileId: string;
  /** Id of a webhook endpoint with more due deliveries than it may have in flight. */
  readonly endpointId: string;
  /** Further ones, claimed by a process that died. */
  readonly deliveriesClaimed: number;
  /** The conversation of a mark as read that is due. */
  readonly markedThreadId: string;
  readonly waiting: readonly Waiting[];
  readonly idOf: (what: string) => string;
}

/** Outcome of a due text, by the last digits of its recipient. */
const DUE = [
  { what: "due", suffix: "00001", upstream: 1, callsMax: 1, end: "read" },
  { what: "due too", suffix: "00002", upstream: 1, callsMax: 1, end: "read" },
  { what: "throttled once", suffix: "99020", upstream: 1, callsMax: 2, end: "read" },
  { what: "refused", suffix: "99122", upstream: 0, callsMax: 1, end: "failed upstream_rejected" },
  { what: "accepted, answer lost", suffix: "99030", upstream: 1, callsMax: 1, end: "read" },
  { what: "accepted, without id", suffix: "99034", upstream: 1, callsMax: 1, end: "read" },
  { what: "dropped", suffix: "99032", upstream: 0, callsMax: 1, end: "queued" },
] as const;

/** Creates the work through the verbs, and then lets time pass and processes die, in the database. */
export async function leaveWork(world: FunctionsWorld): Promise<Work> {
  const { services } = world.processes[0];
  const ctx = await createTestOrganization(services);
  const [channelId, pausedChannelId] = [await newChannel(ctx), await newChannel(ctx)];
  const { organizationId } = ctx.actor;
  const { id: endpointId } = await addEndpoint(ctx, { url: world.receiver.url });
  await leaveDeliveries(ctx, endpointId);
  await leaveEndedSecret(ctx, endpointId);
  await registerWithSimulator({
    services,
    organizationId,
    simulatorUrl: world.simulatorUrl,
    baseUrl: world.baseUrl,
  });
  const waiting: Waiting[] = [];
  const leave = (id: string, rest: Omit<Waiting, "id">) => void waiting.push({ id, ...rest });
  const once = { upstream: 1, callsMax: 1, end: "read" } as const;
  const never = { upstream: 0, callsMax: 0 } as const;

  leave(await leaveOld(ctx, channelId), { what: "old", ...once });
  leave(await leaveAnswered(ctx, channelId), { what: "accepted, callbacks not processed", ...once });
  leave(await leaveClaimed(ctx, channelId), { what: "claimed by a dead process", ...once });
  leave(await leaveOpen(ctx, channelId, true), { what: "called for by a dead process", ...once });
  leave(await leaveOpen(ctx, channelId, false), { what: "about to be called for", ...never, end: "queued" });
  leave(await leaveExpired(ctx, channelId), { what: "too old to be sent", ...never, end: "failed expired" });
  for (const { suffix, ...due } of DUE) leave(await queueTo(ctx, channelId, suffix), due);
  leave(await queuePicture(ctx, channelId), { what: "picture", ...once });
  for (const what of ["paused", "paused too"]) {
    leave(await queueTo(ctx, pausedChannelId, "00003"), { what, ...once });
  }
  await pauseUntilProbe(ctx, pausedChannelId);
  const templateId = await leaveTemplate(ctx, channelId);
  const uploadId = await leaveUpload(ctx);
  const fileId = await leaveFile(ctx, channelId);
  await leaveAttempt(ctx);
  const markedThreadId = await leaveMark(ctx, channelId, world.simulatorUrl);
  const idOf = (what: string) => waiting.find((one) => one.what === what)?.id ?? "";
  return {
    ctx,
    channelId,
    pausedChannelId,
    templateId,
    uploadId,
    fileId,
    endpointId,
    deliveriesClaimed: DELIVERIES_CLAIMED,
    markedThreadId,
    waiting,
    idOf,
  };
}

/** More than two processes claim in one batch. */
const DELIVERIES = 40;
const DELIVERIES_CLAIMED = 3;

async function leaveDeliveries(ctx: Context<SystemActor>, endpointId: string): Promise<void> {
  await addDeliveries(ctx, endpointId, DELIVERIES);
  const claimed = await claimDeliveries(ctx.services, endpointId, DELIVERIES_CLAIMED);
  await ctx.services.sql`
    update webhook_deliveries set claimed_until = now() - interval '1 second'
    where id = any(${claimed.map(({ id }) => id)}::uuid[])`;
}

const digits = () => String(randomInt(10 ** 13, 10 ** 14));

async function newChannel(ctx: Context<SystemActor>): Promise<string> {
  const { channelId } = await connectChannel({
    ctx,
    input: {
      name: "Test channel",
      upstream: "simulator",
      phoneNumberId: digits(),
      wabaId: digits(),
      displayPhoneNumber: "+1 555 0100",
      accessToken: "test-access-token",
      appSecret: "test-app-secret",
      verifyToken: null,
      isDefault: false,
    },
  });
  return channelId;
}

/** To a separate customer, because a message to the same one would wait behind the others. */
async function queueTo(ctx: Context<SystemActor>, channelId: string, suffix: string): Promise<string> {
  const handle = `4915${randomInt(10 ** 5, 10 ** 6)}${suffix}`;
  const { threadId } = await openConversation(ctx, channelId, handle);
  return queueText(ctx, threadId);
}

async function queuePicture(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const { threadId } = await openConversation(ctx, channelId);
  return queueImage(ctx, threadId);
}

async function leaveUpload(ctx: Context<SystemActor>): Promise<string> {
  const { storage_key } = await createUpload({ ctx, input: { file: fileOf(SAMPLES.png) } });
  const [row] = await ctx.services.sql<{ id: string }[]>`
    update uploads set expires_at = now() - interval '2 days' where storage_key = ${storage_key} returning id`;
  return row?.id ?? "";
}

/** A sign-in attempt that no longer counts. */
async function leaveAttempt({ services, actor }: Context): Promise<void> {
  await services.sql`
    insert into sign_in_attempts (subject, count, window_ends_at)
    values (${actor.organizationId}, 1, now() - interval '1 second')`;
}

/** A secret that no longer signs. */
async function leaveEndedSecret({ services, actor }: Context, endpointId: string): Promise<void> {
  await services.sql`
    insert into webhook_former_secrets (id, organization_id, endpoint_id, secret_encrypted, ends_at)
    values (gen_random_uuid(), ${actor.organizationId}, ${endpointId}, '', now() - interval '1 second')`;
}

/** Handed over, with its callbacks stored and unprocessed. */
async function leaveAnswered(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const id = await queueTo(ctx, channelId, "00000");
  await handOver(
    ctx.services,
    await startCall({ services: ctx.services, sql: ctx.services.sql }, id),
    performance.now(),
  );
  await eventually(async () => {
    const [stored] = await ctx.services.sql`
      select id from upstream_callbacks where organization_id = ${ctx.actor.organizationId}
        and convert_from(body, 'UTF8') like ${`%${id}%`} and convert_from(body, 'UTF8') like '%"read"%'`;
    expect(stored).toBeDefined();
  });
  return id;
}

/** Handed over a hundred days ago, soon after the customer wrote. */
async function leaveOld(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const { services } = ctx;
  const id = await queueTo(ctx, channelId, "00000");
  await handOver(services, await startCall({ services, sql: services.sql }, id), performance.now());
  await services.sql`
    update messages set created_at = now() - interval '100 days'
    where conversation_id = (select conversation_id from messages where id = ${id})`;
  return id;
}

async function leaveClaimed(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const id = await queueTo(ctx, channelId, "00004");
  await claimDue(ctx.services, channelId, 1);
  await ctx.services.sql`update messages set claimed_until = now() - interval '1 second' where id = ${id}`;
  return id;
}

/** An attempt after its deadline. `isCalled` says whether its call was made before its process died. */
async function leaveOpen(ctx: Context<SystemActor>, channelId: string, isCalled: boolean): Promise<string> {
  const id = await queueTo(ctx, channelId, "00005");
  const attempt = await startCall({ services: ctx.services, sql: ctx.services.sql }, id);
  if (isCalled) {
    // The pool to store its outcome is gone.
    const sql = createPool({ url: "postgres://127.0.0.1/gone" }, { name: "gone", connectionsMax: 1 });
    await sql.end();
    await handOver(
      servicesWith(ctx.services, { sql, lifecycle: { isClosed: () => true } }),
      attempt,
      performance.now(),
    );
  }
  await ctx.services
    .sql`update message_attempts set deadline = now() - interval '1 second' where id = ${attempt.attemptId}`;
  return id;
}

async function leaveExpired(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const id = await queueTo(ctx, channelId, "00006");
  await ctx.services.sql`update messages set created_at = now() - interval '13 hours' where id = ${id}`;
  return id;
}

/** Only a send can show whether the channel works again, and one is due. */
async function pauseUntilProbe({ services }: Context, channelId: string): Promise<void> {
  await services.sql`
    update channels set paused_at = now(), pause_reason = 'spam_limited', next_probe_at = now() - interval '1 second'
    where id = ${channelId}`;
}

/** Approved by the upstream, which Waypost doesn't know yet. */
async function leaveTemplate(ctx: Context<SystemActor>, channelId: string): Promise<string> {
  const { templateId } = await submitTemplate({
    ctx,
    input: {
      channelId,
      name: "order_update",
      language: "en_US",
      category: "utility",
      components: [{ type: "BODY", text: "Your order is on its way." }],
    },
  });
  await ctx.services.sql`
    update templates set state = 'pending', updated_at = now() - interval '1 hour' where id = ${templateId}`;
  return templateId;
}
