import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import type { MemberActor, Role, SystemActor } from "../api/actor";
import { connectChannel } from "../channels/connect";
import { readConfig } from "../config";
import type { Context, Services } from "../context";
import { NO_JOBS } from "../jobs";
import { createLogger } from "../log";
import { createMember } from "../members/create";
import { openServices } from "../services";
import { createOrganization } from "./create";

/** A database and a data directory of its own, and the services over them. */
export interface TestWorld {
  readonly database: TestDatabase;
  readonly services: Services;
  close(): Promise<void>;
}

export const TEST_SECRET = "a secret of the tests, which protects nothing";

export async function openTestWorld(): Promise<TestWorld> {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(path.join(tmpdir(), "waypost-world-"));
  const env = { NODE_ENV: "test", LOG_LEVEL: "silent", WAYPOST_DATA_DIR: dataDir } as const;
  const config = readConfig(env, process.cwd());
  const opened = await openServices({
    config,
    address: database.connection,
    secret: TEST_SECRET,
    log: createLogger({ level: "silent" }),
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

/** A new organization, as Waypost's own work sees it. */
export async function createTestOrganization(services: Services): Promise<Context<SystemActor>> {
  const { ctx } = await createOrganization({ services, job: "test", input: { name: "Test" } });
  return ctx;
}

/** A context of a new member of the organization. */
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

/** A new simulated channel of the organization. */
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
