import { createHash, randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { inject } from "vitest";
import { createTestDatabase, sharedTestDatabase, type TestDatabase } from "@/db/testing";
import type { MemberActor, Role, SystemActor } from "@/server/core/actor";
import type { Passwords } from "@/server/platform/secrets/passwords";
import { connectChannel } from "@/server/domain/channels/connect";
import { readConfig } from "@/server/platform/config";
import type { Context, Services } from "@/server/core/context";
import { NO_JOBS } from "@/server/core/jobs";
import { createLogger } from "@/server/platform/log";
import { createMember } from "@/server/domain/members/create";
import { openServices } from "@/server/core/services";
import { createOrganization } from "./create";

/** A database, a data directory, and the services that use them. */
export interface TestWorld {
  readonly database: TestDatabase;
  readonly services: Services;
  /** Closes and removes the file's own resources. */
  close(): Promise<void>;
}

export interface TestWorldOptions {
  /**
   * "own" for tests of work across organizations, such as sweeps and counts of all rows; of facts that are unique per
   * installation, such as its first member; of plans and statistics; and for tests that lock or change tables.
   */
  readonly database?: "shared" | "own";
  /** Whether the clock of the file's own database can be moved: see `setMachineClock`. */
  readonly isClockMovable?: boolean;
}

export const TEST_SECRET = "a secret of the tests, which protects nothing";

/** An instant hash: scrypt takes most of the time of a test with members. */
const QUICK_PASSWORDS: Passwords = {
  hash: async (password) => createHash("sha256").update(password).digest("hex"),
  verify: async ({ hash, password }) => hash === (await QUICK_PASSWORDS.hash(password)),
};

let shared: Promise<TestWorld> | undefined;

/**
 * Opens the world that all files in this process share: a test checks only organizations that it created. Or opens the
 * file's own world, which the file closes.
 */
export function openTestWorld({
  database = "shared",
  isClockMovable = false,
}: TestWorldOptions = {}): Promise<TestWorld> {
  if (database === "own" || isClockMovable) return openWorldOver(createTestDatabase({ isClockMovable }));
  shared ??= openWorldOver(sharedTestDatabase()).then((world) => ({
    ...world,
    close: async () => undefined,
  }));
  return shared;
}

async function openWorldOver(created: Promise<TestDatabase>): Promise<TestWorld> {
  const database = await created;
  const dataDir = await mkdtemp(path.join(inject("testRunDirectory"), "world-"));
  const env = { NODE_ENV: "test", LOG_LEVEL: "silent", WAYPOST_DATA_DIR: dataDir } as const;
  const config = readConfig(env, process.cwd());
  const opened = await openServices({
    config,
    address: database.connection,
    secret: TEST_SECRET,
    log: createLogger({ level: "silent" }),
    passwords: QUICK_PASSWORDS,
    jobs: NO_JOBS,
    pools: { name: "test", sql: 4, orm: 4, limits: 1 },
    simulatorUrl: () => null,
  });
  const close = async () => {
    await opened.close();
    await database.drop();
    await rm(dataDir, { recursive: true });
  };
  return { database, services: opened.services, close };
}

/** Creates an organization, with a context for Waypost's own work. */
export async function createTestOrganization(services: Services): Promise<Context<SystemActor>> {
  const { ctx } = await createOrganization({ services, job: "test", input: { name: "Test" } });
  return ctx;
}

/** Returns a context of a new member of the organization. */
export async function asMember(
  ctx: Context<SystemActor>,
  role: Role,
  permissions: string[] = [],
): Promise<Context<MemberActor>> {
  const { organizationId } = ctx.actor;
  const { memberId, userId } = await createMember({
    ctx,
    input: {
      email: `${role}-${randomInt(2 ** 47)}@example.com`,
      name: role,
      password: "correct horse battery",
      role,
      permissions,
    },
  });
  return {
    services: ctx.services,
    actor: { kind: "member", organizationId, memberId, userId, address: null, role, permissions },
    requestId: `test-${randomInt(2 ** 47)}`,
  };
}

/** Connects a new simulated channel of the organization. */
export async function connectTestChannel(ctx: Context<SystemActor>, isDefault = false): Promise<string> {
  const { channelId } = await connectChannel({
    ctx,
    input: {
      name: "Test channel",
      upstream: "simulator",
      phoneNumberId: String(randomInt(2 ** 47)),
      wabaId: "1",
      displayPhoneNumber: "+1 555 0100",
      accessToken: "test-access-token",
      appSecret: "test-app-secret",
      verifyToken: null,
      isDefault,
    },
  });
  return channelId;
}
