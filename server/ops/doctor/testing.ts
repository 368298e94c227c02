import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { createVault } from "@/server/platform/secrets/vault";
import { startTestUpstream, type TestUpstream } from "@/server/adapters/whatsapp/testing";
import type { Finding } from "./finding";
import type { UsableInstallation } from "./installation";

export interface DoctorWorld extends TestWorld {
  readonly ctx: Context<SystemActor>;
  readonly upstream: TestUpstream;
  /** The world as the doctor sees it. `upstream` is its simulator. */
  readonly installation: UsableInstallation;
}

/** An installation without a running process, with one empty organization. */
export async function openDoctorWorld(secret: string): Promise<DoctorWorld> {
  const world = await openTestWorld({ database: "own" });
  const upstream = await startTestUpstream();
  const { services, database } = world;
  const installation: UsableInstallation = {
    config: services.config,
    database: { kind: "reached", via: "url", sql: database.sql },
    databaseDirectory: null,
    vault: createVault(secret),
    secretProblem: null,
    simulatorUrl: upstream.url,
    whatsapp: services.whatsapp,
  };
  const close = async () => {
    await upstream.close();
    await world.close();
  };
  return { ...world, ctx: await createTestOrganization(services), upstream, installation, close };
}

/** Returns the finding about that part. Fails if there is none, or more than one. */
export function about(findings: readonly Finding[], what: string): Finding {
  const found = findings.filter((finding) => finding.what.startsWith(what));
  const [one] = found;
  if (one === undefined || found.length > 1) throw new Error(`${found.length} findings about ${what}`);
  return one;
}
