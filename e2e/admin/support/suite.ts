import { afterAll, beforeAll } from "vitest";
import { type Api, openApi } from "@/e2e/support/api";
import { type ApiKey, createKey } from "@/e2e/support/cli";
import { type AdminWorld, openAdminWorld } from "./admin-world";
import type { AdminPage, View } from "./open-page";

/** Tests of pages never test limits. */
const SEND_LIMIT = 10_000;

/** Shared by the tests of a file. */
export interface Suite {
  readonly world: AdminWorld;
  readonly api: Api;
  /** A key with a limit that tests never reach. */
  readonly key: ApiKey;
  /** The owner's page. */
  readonly admin: AdminPage;
}

/**
 * One organization and one browser for a file, and a signed-in owner.
 * @param view refusals that the file provokes as the owner.
 */
export function useSuite(view: View = {}): () => Suite {
  let suite: Suite | undefined;
  beforeAll(async () => {
    const world = await openAdminWorld();
    const { server, demo } = world;
    const api = await openApi(server.baseUrl);
    const key = await createKey(server, demo.organization_id, { sendLimit: SEND_LIMIT });
    const admin = await world.open(world.owner, view);
    suite = { world, api, key, admin };
  });
  afterAll(async () => {
    try {
      await suite?.admin.close();
    } finally {
      await suite?.world.close();
    }
  });
  return () => {
    if (suite === undefined) throw new Error("The suite is used before its tests");
    return suite;
  };
}
