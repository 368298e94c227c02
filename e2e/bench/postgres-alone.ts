import { identityNamed } from "@/server/adapters/whatsapp/person";
import { randomBytes } from "node:crypto";
import { migrateDatabase } from "@/db/client";
import { acquireDataDirectory, startEmbeddedPostgres } from "@/db/embedded";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { connectChannel } from "@/server/domain/channels/connect";
import { createClosers, type Closers } from "@/server/lib/closers";
import { readConfig } from "@/server/platform/config";
import type { Context, Services } from "@/server/core/context";
import { NO_JOBS } from "@/server/core/jobs";
import { createKey } from "@/server/domain/keys/create";
import { createLogger } from "@/server/platform/log";
import { acceptMessage } from "@/server/domain/messages/send/accept";
import { readSendFacts } from "@/server/domain/messages/send/send-facts";
import { receiveText } from "@/server/domain/messages/receive/receive";
import { authenticateKey } from "@/server/domain/keys/authenticate";
import { createOrganization } from "@/server/domain/organizations/create";
import { openServices } from "@/server/core/services";
import { createMeter, type LoadResult } from "./load";

/** Rows of new messages, stored with this concurrency. */
export interface RowsJob {
  readonly concurrency: number;
  readonly seconds: number;
}

const CONTACTS = 300;
const LIMIT = 1_000_000;

interface Thread {
  readonly handle: string;
  readonly contactId: string;
  readonly conversationId: string;
}

interface World {
  readonly services: Services;
  readonly secret: string;
  readonly channelId: string;
  readonly threads: readonly Thread[];
}

/**
 * POST /messages without HTTP, validation and sending: its statements, for the same rows, through the same batches, in
 * a PostgreSQL of its own that keeps every promise of durability. The upper limit for the real system.
 */
export async function openPostgresAlone(appRoot: string) {
  const closers = createClosers();
  const dataDir = await createDataDirectory();
  closers.add(() => removeDataDirectory(dataDir));
  try {
    const world = await makeWorld(await openOwnServices(appRoot, dataDir, closers));
    return { run: (job: RowsJob) => storeMessages(world, job), close: () => closers.closeAll() };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function openOwnServices(appRoot: string, dataDir: string, closers: Closers): Promise<Services> {
  const config = readConfig({ NODE_ENV: "production", WAYPOST_DATA_DIR: dataDir }, appRoot);
  const log = createLogger({ level: "error" });
  const ownership = await acquireDataDirectory(dataDir, { kind: "cli" });
  closers.add(() => ownership.release());
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  closers.add(() => postgres.stop());
  await migrateDatabase(postgres.connection, appRoot);
  const opened = await openServices({
    config,
    log,
    address: postgres.connection,
    secret: randomBytes(32).toString("base64url"),
    jobs: NO_JOBS,
    pools: { name: "bench", sql: 12, orm: 4, limits: 4 },
    simulatorUrl: () => null,
  });
  closers.add(opened.close);
  return opened.services;
}

async function makeWorld(services: Services): Promise<World> {
  const { ctx } = await createOrganization({ services, job: "bench", input: { name: "Bench" } });
  const { channelId } = await connectChannel({
    ctx,
    input: {
      name: "Bench",
      upstream: "simulator",
      phoneNumberId: "1",
      wabaId: "1",
      displayPhoneNumber: "+15550100",
      accessToken: "bench",
      appSecret: "bench",
      verifyToken: null,
      isDefault: true,
    },
  });
  const key = await createKey({ ctx, input: { name: "Bench", sendLimit: LIMIT, readLimit: LIMIT } });
  const threads: Thread[] = [];
  for (let index = 0; index < CONTACTS; index += 1) {
    const handle = `4915${String(100_000_000 + index)}`;
    const input = {
      channelId,
      from: handle,
      profileName: null,
      upstreamId: `in-${index}`,
      body: "Hi",
      at: new Date(),
    };
    threads.push({ handle, ...(await receiveText({ ctx, input })) });
  }
  return { services, secret: key.secret, channelId, threads };
}

async function storeMessages(world: World, { concurrency, seconds }: RowsJob): Promise<LoadResult> {
  const meter = createMeter(201);
  const endsAtMs = performance.now() + seconds * 1000;
  async function storeOneByOne(first: number): Promise<void> {
    for (let index = first; performance.now() < endsAtMs; index += concurrency) {
      const startedAtMs = performance.now();
      await storeOne(world, index);
      meter.note(201, performance.now() - startedAtMs);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, (_, first) => storeOneByOne(first)));
  return meter.result(0);
}

/** The four statements of a new message to a known contact. */
async function storeOne({ services, secret, channelId, threads }: World, index: number): Promise<void> {
  const thread = threads[index % threads.length];
  if (!thread) throw new Error("There are no threads to write to");
  const actor = await authenticateKey({ services, authorization: undefined, xApiKey: secret });
  const ctx: Context = { services, actor, requestId: null };
  const clientMessageId = randomBytes(12).toString("hex");
  const { organizationId } = actor;
  const { handle, contactId, conversationId } = thread;
  const nothing = { threadId: null, quotedId: null, reactedId: null, template: null, storageKey: null };
  const recipient = identityNamed(handle);
  await readSendFacts(services, { organizationId, clientMessageId, recipient, ...nothing });
  await services.limits.take(actor.keyId, "send", actor.sendLimit);
  const content = {
    type: "text",
    to: { kind: "whatsapp", handle },
    text: { body: "Your parcel is on its way." },
  };
  const links = { templateId: null, uploadId: null, resendOf: null };
  const message = { clientMessageId, fingerprint: randomBytes(32), type: "text", content, ...links };
  const openTo = { refusedUntil: null, isOptedOut: false, windowOpen: true, windowDenied: false };
  const destination = { channelId, contactId, conversationId, recipient: handle, ...openTo };
  const accepted = await acceptMessage(ctx, message, destination);
  if (accepted === null) throw new Error("A new message was taken for a repeat");
}
