import { randomInt } from "node:crypto";
import { createPool, type DatabaseAddress, type Sql } from "@/db/client";
import { newId, templates, webhookEndpoints } from "@/db/schema";
import type { KeyActor, SystemActor } from "@/server/core/actor";
import { connectChannel } from "@/server/domain/channels/connect";
import { type Closers, createClosers } from "@/server/lib/closers";
import { readConfig } from "@/server/platform/config";
import type { Context, Services } from "@/server/core/context";
import { NO_JOBS } from "@/server/core/jobs";
import { authenticateKey } from "@/server/domain/keys/authenticate";
import { createKey } from "@/server/domain/keys/create";
import { createLimits } from "@/server/adapters/limits/limits";
import { createPostgresStore } from "@/server/adapters/limits/postgres";
import { createLogger } from "@/server/platform/log";
import { createOrganization } from "@/server/domain/organizations/create";
import { openServices } from "@/server/core/services";
import { newWebhookSecret, webhookSecretPurpose } from "@/server/domain/webhooks/endpoints/secret";
import { fill, type Tenant } from "./fill";
import { createStatementLog, explainStatements, type StatementLog } from "./plans";

/** The large organization of a database, as its key sees it, and PostgreSQL's statements. */
export interface GrowthWorld {
  /** Its statements, and those of its limiter, are logged. */
  readonly services: Services;
  /** Its statements aren't logged. */
  readonly admin: Sql;
  readonly statements: StatementLog;
  readonly key: Context<KeyActor>;
  readonly secret: string;
  readonly channelId: string;
  readonly endpoints: {
    readonly working: string;
    /** Unreachable; up to a million deliveries wait for it. */
    readonly stalled: string;
    /** All its deliveries were skipped, and all are of channels that it no longer receives. */
    readonly elsewhere: string;
    /** Without a URL, and for rare events. */
    readonly rare: string;
  };
  /** Approved, without variables. */
  readonly templateId: string;
  /** Returns a number that has later messages in each organization. */
  readonly anySequence: () => number;
  /** Adds messages up to that number, and that many deliveries to the working endpoint and nine others. */
  growTo(messages: number, deliveries?: number): Promise<void>;
  close(): Promise<void>;
}

const LIMIT = 1_000_000;
/** One connection runs each statement often enough to get the plans of a long-running process. */
const CONNECTIONS_MAX = 1;
/** Share of the sequence; the rest follows any number that is picked. */
const SEQUENCE_PART_MAX = 0.9;
/** Shares out of 20. The first organization is the large one. */
const SHARES = [14, 2, 2, 2] as const;

interface Place {
  /** A migrated database without rows; its user is the superuser. */
  readonly address: DatabaseAddress;
  readonly appRoot: string;
  readonly dataDir: string;
}

export async function openGrowthWorld(place: Place): Promise<GrowthWorld> {
  const closers = createClosers();
  try {
    return { ...(await makeWorld(place, closers)), close: () => closers.closeAll() };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function makeWorld(place: Place, closers: Closers): Promise<Omit<GrowthWorld, "close">> {
  const statements = createStatementLog();
  const pool = (name: string, onNotice?: StatementLog["onNotice"]) => {
    const made = createPool(place.address, { name, connectionsMax: CONNECTIONS_MAX, onNotice });
    closers.add(() => made.end({ timeout: 1 }));
    return made;
  };
  const admin = pool("growth-admin");
  await explainStatements(admin);
  const opened = await openSilentServices(place);
  closers.add(opened.close);
  const store = createPostgresStore(pool("growth-limits", statements.onNotice));
  const limits = createLimits(store, opened.services.log);
  const services: Services = { ...opened.services, sql: pool("growth", statements.onNotice), limits };
  const tenants: (Tenant & { secret: string })[] = [];
  for (const share of SHARES) tenants.push(await makeTenant(services, share));
  const [large] = tenants;
  if (large === undefined) throw new Error("There is no organization");
  const working: string[] = [];
  for (const { organizationId } of tenants) working.push(await addEndpoint(services, organizationId));
  const stalled = await addEndpoint(services, large.organizationId, STALLED);
  const elsewhere = await addEndpoint(services, large.organizationId, {
    description: "skips",
    channelIds: [newId()],
  });
  const rare = await addEndpoint(services, large.organizationId, { url: null, events: ["message.failed"] });
  const actor = await authenticateKey({ services, authorization: undefined, xApiKey: large.secret });
  const channelId = large.channelIds[0] ?? "";
  const endpoints = { working: working[0] ?? "", stalled, elsewhere, rare };
  let size = 0;
  return {
    services,
    admin,
    statements,
    key: { services, actor, requestId: "growth" },
    secret: large.secret,
    channelId,
    endpoints,
    templateId: await addTemplate(services, actor.organizationId, channelId),
    anySequence: () => Math.floor(Math.random() * size * SEQUENCE_PART_MAX),
    async growTo(messages, deliveries = 0) {
      const endpointIds = [endpoints.working];
      if (deliveries > 0) endpointIds.push(...(await addQuietEndpoints(services, large.organizationId)));
      const history = { organizationId: large.organizationId, endpointIds, deliveries };
      await fill(admin, tenants, { from: size, to: messages }, history);
      if (size === 0) await addSkipped(admin, large.organizationId, elsewhere);
      size = messages;
    },
  };
}

function openSilentServices({ address, appRoot, dataDir }: Place) {
  return openServices({
    config: readConfig({ NODE_ENV: "production", WAYPOST_DATA_DIR: dataDir }, appRoot),
    log: createLogger({ level: "error" }),
    address,
    secret: "a secret of the bench, which protects nothing",
    jobs: NO_JOBS,
    pools: { name: "growth-rest", sql: 1, orm: 2, limits: 1 },
    simulatorUrl: () => null,
  });
}

/** An organization with two channels and a key. */
async function makeTenant(services: Services, share: number): Promise<Tenant & { secret: string }> {
  const { id: organizationId, ctx } = await createOrganization({
    services,
    job: "bench",
    input: { name: "Bench" },
  });
  const channelIds = [await connect(ctx, true), await connect(ctx, false)];
  const { id: keyId, secret } = await createKey({
    ctx,
    input: { name: "Bench", sendLimit: LIMIT, readLimit: LIMIT },
  });
  return { organizationId, channelIds, keyId, secret, share };
}

async function connect(ctx: Context<SystemActor>, isDefault: boolean): Promise<string> {
  const { channelId } = await connectChannel({
    ctx,
    input: {
      name: "Bench",
      upstream: "simulator",
      phoneNumberId: String(randomInt(2 ** 47)),
      wabaId: String(randomInt(2 ** 47)),
      displayPhoneNumber: "+15550100",
      accessToken: "bench",
      appSecret: "bench",
      verifyToken: null,
      isDefault,
    },
  });
  return channelId;
}

async function addTemplate({ orm }: Services, organizationId: string, channelId: string): Promise<string> {
  const id = newId();
  const wording = { name: "bench", language: "en_US", state: "approved", components: [] } as const;
  await orm.insert(templates).values({ id, organizationId, channelId, ...wording, components: [] });
  return id;
}

const QUIET_ENDPOINTS = 9;

/** Adds endpoints that want nothing new. */
const addQuietEndpoints = (services: Services, organizationId: string): Promise<string[]> =>
  Promise.all(
    Array.from({ length: QUIET_ENDPOINTS }, () => addEndpoint(services, organizationId, { events: [] })),
  );

/** The row of an endpoint that backs off. */
const STALLED = {
  backoffStreak: 1,
  backoffSetAt: new Date(),
  backoffUntil: new Date("2999-01-01T00:00:00Z"),
  failingSince: new Date(),
} as const;

/** More than a page or a batch of a replay examines. */
const SKIPPED = 3_000;

/** Adds the newest skipped deliveries of an endpoint, all about one message. */
async function addSkipped(admin: Sql, organizationId: string, endpointId: string): Promise<void> {
  await admin`
    with reported as (
      insert into webhook_events (id, organization_id, type, message_id, body)
      select gen_random_uuid(), m.organization_id, 'message.sent', m.id, 'x'
      from (select id, organization_id from messages where organization_id = ${organizationId} limit 1) m,
        generate_series(1, ${SKIPPED}::int)
      returning id, organization_id)
    insert into webhook_deliveries (id, organization_id, endpoint_id, event_id, type, state, ended_at)
    select gen_random_uuid(), organization_id, ${endpointId}, id, 'message.sent', 'skipped', now() from reported`;
  for (const table of ["webhook_events", "webhook_deliveries"]) await admin`vacuum (analyze) ${admin(table)}`;
}

async function addEndpoint(
  { orm, vault }: Services,
  organizationId: string,
  fields: Partial<typeof webhookEndpoints.$inferInsert> = {},
): Promise<string> {
  const id = newId();
  const secretEncrypted = vault.encrypt(newWebhookSecret(), webhookSecretPurpose(id));
  const url = "https://hooks.example.com/";
  await orm
    .insert(webhookEndpoints)
    .values({ id, organizationId, url, events: ["message.sent"], secretEncrypted, ...fields });
  return id;
}
