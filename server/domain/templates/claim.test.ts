import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createPool } from "@/db/client";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { createLogger } from "@/server/platform/log";
import { connectTestChannel, createTestOrganization } from "@/server/domain/organizations/testing";
import { syncAllTemplates } from "./claim";
import { having, openTemplateWorld, type TemplateWorld, upstreamTemplate } from "./testing";

let world: TemplateWorld;
let upstream: TemplateWorld["upstream"];
let ctx: Context<SystemActor>;
let channelId: string;

beforeAll(async () => {
  world = await openTemplateWorld({ database: "own" });
  ({ upstream } = world);
});
afterAll(() => world.close());
beforeEach(async () => void ({ ctx, channelId } = await world.newChannel()));

describe("the run over all channels", () => {
  test("reaches those of every organization, but for disabled ones, though one of them fails", async () => {
    const other = await createTestOrganization(world.services);
    const channels = await Promise.all([ctx, ctx, other, other].map((one) => connectTestChannel(one)));
    const [broken = "", disabled = "", ...working] = channels;
    await world.sql`update channels set access_token_encrypted = 'broken' where id = ${broken}`;
    await world.sql`update channels set disabled_at = now() where id = ${disabled}`;
    upstream.behave(having([upstreamTemplate()]));
    await syncAllTemplates(world.services);
    const stored = await Promise.all(
      [channelId, ...channels].map(async (id) => (await world.rowsOf(id)).length),
    );
    expect(stored).toEqual([1, 0, 0, ...working.map(() => 1)]);
  });

  test("can be for one upstream only", async () => {
    upstream.behave(having([upstreamTemplate()]));
    const calls = upstream.calls.length;
    await syncAllTemplates(world.services, { upstream: "meta" });
    expect(upstream.calls).toHaveLength(calls);
  });

  test("asks nobody any more once the process is going", async () => {
    const calls = upstream.calls.length;
    await syncAllTemplates(servicesWith(world.services, { lifecycle: { isStopping: () => true } }));
    expect(upstream.calls).toHaveLength(calls);
  });

  test("that fails because the process is going says nothing; any other failure is told", async () => {
    const gone = createPool({ url: "postgres://u:p@127.0.0.1:1/d" }, { name: "gone", connectionsMax: 1 });
    await gone.end();
    const reported = async (isStopping: boolean) => {
      const lines: string[] = [];
      const log = createLogger({ level: "info", destination: { write: (line) => void lines.push(line) } });
      await syncAllTemplates(
        servicesWith(world.services, { sql: gone, log, lifecycle: { isStopping: () => isStopping } }),
      );
      return lines.map((line): unknown => JSON.parse(line));
    };
    expect(await reported(false)).toMatchObject([{ level: "warn", msg: "synchronizing templates failed" }]);
    expect(await reported(true)).toEqual([]);
  });
});
