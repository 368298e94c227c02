import { writeFile } from "node:fs/promises";
import path from "node:path";
import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SystemActor } from "@/server/core/actor";
import { connectChannel } from "@/server/domain/channels/connect";
import { type CommandWorld, openCommands } from "@/server/ops/cli/testing";
import type { Context } from "@/server/core/context";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
let commands: CommandWorld;
/** Replaces Meta. */
let upstream: Loopback;
let answer: (res: ServerResponse) => void;
let channelId: string;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  ctx = await createTestOrganization(world.services);
  upstream = await serveOnLoopback((_, res) => answer(res));
  commands = await openCommands(world.database.url, { WAYPOST_GRAPH_URL: upstream.url });
  const secrets = { accessToken: "the-token", appSecret: "the-secret", verifyToken: "the-verify" };
  const number = { phoneNumberId: "77", wabaId: "88", displayPhoneNumber: "+1 555 0100" };
  const input = { name: "Shop", upstream: "meta", isDefault: false, ...number, ...secrets } as const;
  ({ channelId } = await connectChannel({ ctx, input }));
});
afterAll(async () => {
  await commands.close();
  await upstream.close();
  await world.close();
});
beforeEach(async () => {
  answer = (res) => answerJson(res, 200, { id: "77" });
  await world.database.sql`
    update channels set paused_at = now(), pause_reason = 'credentials_invalid' where id = ${channelId}`;
});

async function setWith(credentials: unknown, ...args: string[]) {
  const file = path.join(commands.directory, "credentials.json");
  await writeFile(file, JSON.stringify(credentials));
  return commands.waypost("channel", "set", channelId, "--credentials", file, ...args);
}

test("an expired access token is replaced from a file, and the channel sends again", async () => {
  const { code, stdout, stderr } = await setWith({ access_token: "the-new-token" });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(
    /was changed\.\nThe new access token works.*\nThe channel sends again\. .*credentials_invalid/,
  );
  expect(stdout).not.toContain("the-new-token");
  const again = await setWith({ access_token: "the-new-token" }, "--name", "Store", "--json");
  expect(JSON.parse(again.stdout)).toEqual({ id: channelId, token: "works", was_paused_for: null });
  const audit = await world.database.sql`
    select distinct actor_id from audit_log where subject_id = ${channelId} and action = 'channel.set'`;
  expect(audit).toEqual([{ actor_id: "cli channel set" }]);
});

test("a token that Meta refuses isn't saved, and one that can't be tried is, with word of it", async () => {
  answer = (res) => answerJson(res, 401, { error: { code: 190, message: "Session has expired" } });
  const refused = await setWith({ access_token: "the-bad-token" });
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: "" });
  expect(refused.stderr).toMatch(/^waypost: `access_token` wasn't saved: .*#190.*\(validation_failed\)\n$/);
  expect(refused.stderr).not.toContain("the-bad-token");
  answer = (res) => res.socket?.resetAndDestroy();
  const untried = await setWith({ access_token: "the-new-token" });
  expect({ code: untried.code, stderr: untried.stderr }).toEqual({ code: 0, stderr: "" });
  expect(untried.stdout).toMatch(/was saved but couldn't be tested: /);
});

test("to set nothing, or from a file of another shape, is refused in words that repeat nothing of it", async () => {
  const nothing = await commands.waypost("channel", "set", channelId);
  expect(nothing.code).toBe(2);
  expect(nothing.stderr).toMatch(/--name <name>' or '--credentials <file>'/);
  const other = await setWith({ token: "the-new-token" });
  expect(other.code).toBe(1);
  expect(other.stderr).toMatch(/must be one or more of .*\(credentials_malformed\)\n$/);
  expect(other.stderr).not.toContain("the-new-token");
});
