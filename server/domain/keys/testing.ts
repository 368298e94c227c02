import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import {
  createTestOrganization,
  openTestWorld,
  type TestWorld,
  type TestWorldOptions,
} from "@/server/domain/organizations/testing";
import { authenticateKey } from "./authenticate";
import { createKey } from "./create";
import { listKeys } from "./list";
import type { KeyView } from "./views";

/** A well-formed id that nothing has. */
export const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";

export interface CallError {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
}

/** Returns the error of a call; null if it succeeds. */
export async function errorOf(call: Promise<unknown>): Promise<CallError | null> {
  return call.then(
    () => null,
    ({ code, message, field }: CallError) => ({ code, message, field }),
  );
}

/** A database with two organizations, and helpers for the first one's keys. */
export async function openKeyWorld(options?: TestWorldOptions) {
  const world: TestWorld = await openTestWorld(options);
  const ctx: Context<SystemActor> = await createTestOrganization(world.services);
  const foreignCtx: Context<SystemActor> = await createTestOrganization(world.services);
  const authenticate = (secret: string) =>
    authenticateKey({ services: world.services, authorization: undefined, xApiKey: secret });
  return {
    ...world,
    ctx,
    foreignCtx,
    authenticate,
    newKey: (input: Partial<Parameters<typeof createKey>[0]["input"]> = {}) =>
      createKey({ ctx, input: { name: "Test key", ...input } }),
    stateOf: async (secret: string) => (await errorOf(authenticate(secret)))?.code ?? "live",
    listed: async (id: string): Promise<KeyView | undefined> =>
      (await listKeys({ ctx, input: {} })).data.find((key) => key.id === id),
    auditOf: (subjectId: string) => world.database.sql<
      { action: string; actor_kind: string; actor_id: string; detail: object }[]
    >`
      select action, actor_kind, actor_id, detail from audit_log
      where subject_id = ${subjectId} order by created_at`,
  };
}
