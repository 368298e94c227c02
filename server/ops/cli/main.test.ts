import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "@/e2e/support/command";
import type { SystemActor } from "@/server/core/actor";
import { describeCommands } from "@/server/ops/cli/commands";
import { type CommandWorld, openCommands } from "@/server/ops/cli/testing";
import type { Context } from "@/server/core/context";
import { customerWrote, closeAndAssign } from "@/server/ops/demo/conversations";
import { authenticateKey } from "@/server/domain/keys/authenticate";
import {
  asMember,
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  TEST_SECRET,
  type TestWorld,
} from "@/server/domain/organizations/testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
let commands: CommandWorld;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  ctx = await createTestOrganization(world.services);
  commands = await openCommands(world.database.url);
});
afterAll(async () => {
  await commands.close();
  await world.close();
});

const waypost = (...args: string[]) => commands.waypost(...args);

/** Standard output of a successful command, which is JSON and nothing else. */
async function json(...args: string[]) {
  const { code, stdout, stderr } = await waypost(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

const stateOf = (secret: string) =>
  authenticateKey({ services: world.services, authorization: undefined, xApiKey: secret }).then(
    () => "live",
    (error: { code: string }) => error.code,
  );

const UNKNOWN_ID = "01900000-0000-7000-8000-000000000000";

describe("over DATABASE_URL", () => {
  test("a key is made, rotated, listed and revoked, and each act counts for the very next request", async () => {
    const org = ctx.actor.organizationId;
    const channelId = await connectTestChannel(ctx);
    const wishes = [
      "--scopes",
      "messages:send,messages:read",
      "--channels",
      channelId,
      "--expires-in",
      "3600",
    ];
    const limits = ["--send-limit", "1000000", "--read-limit", "1"];
    const created = await json("key", "create", "--org", org, "--name", "Shop", ...wishes, ...limits);
    expect(Object.keys(created)).toEqual(["id", "secret"]);
    const actor = await authenticateKey({
      services: world.services,
      authorization: undefined,
      xApiKey: created.secret,
    });
    expect(actor).toMatchObject({
      scopes: ["messages:send", "messages:read"],
      channelIds: [channelId],
      sendLimit: 1_000_000,
      readLimit: 1,
    });

    const rotated = await json("key", "rotate", created.id, "--overlap", "60", "--scopes", "webhooks:manage");
    expect(rotated.id).toBe(created.id);
    expect([await stateOf(created.secret), await stateOf(rotated.secret)]).toEqual(["live", "live"]);
    const again = await json("key", "rotate", created.id);
    expect([await stateOf(rotated.secret), await stateOf(again.secret)]).toEqual(["api_key_revoked", "live"]);

    const list = await json("key", "list", "--org", org);
    expect(list).toMatchObject([
      { id: created.id, organization_id: org, status: "live", scopes: ["webhooks:manage"] },
    ]);
    expect(JSON.stringify(list)).not.toContain(again.secret.slice(12, -4));

    expect(await json("key", "set", created.id, "--send-limit", "600")).toMatchObject({
      id: created.id,
      send_limit: 600,
    });
    expect(await json("key", "revoke", created.id)).toMatchObject({ id: created.id });
    expect(await stateOf(again.secret)).toBe("api_key_revoked");
    const acts = await world.database.sql`
      select actor_id from audit_log where subject_id = ${created.id} order by created_at`;
    expect(acts.map((act) => act.actor_id)).toEqual([
      "cli key create",
      "cli key rotate",
      "cli key rotate",
      "cli key set",
      "cli key revoke",
    ]);
  });

  test("a person is told the secret once, with a sentence that says so", async () => {
    const { stdout, code } = await waypost(
      "key",
      "create",
      "--org",
      ctx.actor.organizationId,
      "--name",
      "For Ada",
    );
    const secret = /ak_live_[0-9A-Za-z]{49}/.exec(stdout)?.[0] ?? "";
    expect(code).toBe(0);
    expect(await stateOf(secret)).toBe("live");
    expect(stdout.split(secret)).toHaveLength(2);
    expect(stdout).toContain("shown only once");
    const list = await waypost("key", "list");
    expect(list.stdout).toMatch(/For Ada +live +never +never +ak_live_\w{4}…\w{4} +messages:send/);
    expect(list.stdout).not.toContain(secret);
  });

  test("a person who rotates is told when the old secret ends", async () => {
    const { id } = await json("key", "create", "--org", ctx.actor.organizationId, "--name", "Rotated");
    const overlapping = await waypost("key", "rotate", id, "--overlap", "3600");
    const [, until = ""] = /^Previous secret works until (\S+Z)$/m.exec(overlapping.stdout) ?? [];
    expect(Math.round((Date.parse(until) - Date.now()) / 60_000)).toBeCloseTo(60, -1);
    const atOnce = await waypost("key", "rotate", id);
    expect(atOnce.stdout).toMatch(/^Previous secret has expired$/m);
  });

  test("an organization is made, and can have keys", async () => {
    const { id, name } = await json("org", "create", "--name", "Corner shop");
    expect(name).toBe("Corner shop");
    const { secret } = await json("key", "create", "--org", id, "--name", "First");
    expect(await stateOf(secret)).toBe("live");
  });

  test("a conversation is shown", async () => {
    const agent = await asMember(ctx, "agent");
    const at = new Date(Date.now() - 3_600_000);
    const channelId = await connectTestChannel(ctx);
    const input = { channelId, handle: "4915112345678", name: "Ana", at };
    const { thread_id } = await customerWrote(ctx, input);
    const shown = () => json("conversation", "show", thread_id);
    expect(await shown()).toEqual({ status: "open", assignee_id: null, last_inbound_at: at.toISOString() });
    await closeAndAssign(ctx, thread_id, agent.actor.memberId);
    expect(await shown()).toMatchObject({ status: "closed", assignee_id: agent.actor.memberId });
  });
});

describe("what fails", () => {
  test.each<[string, string[], RegExp]>([
    [
      "an unknown key",
      ["key", "revoke", UNKNOWN_ID],
      /^waypost: There is no such API key\. \(key_not_found\)\n$/,
    ],
    ["no key at all", ["key", "rotate", "x"], /\(key_not_found\)\n$/],
    [
      "a wrong value, by its option",
      ["org", "create", "--name", ""],
      /^waypost: `--name` must be 1 to 100 .*\(validation_failed\)\n$/,
    ],
    [
      "an unknown organization",
      ["key", "create", "--org", UNKNOWN_ID, "--name", "X"],
      /no organization 01900000.*\(not_found\)\n$/,
    ],
    ["channels of an unknown organization", ["channel", "list", "--org", UNKNOWN_ID], /no organization 019/],
    ["an unknown channel", ["channel", "resume", UNKNOWN_ID], /no channel 01900000.*\(not_found\)\n$/],
    [
      "an unknown conversation",
      ["conversation", "show", UNKNOWN_ID],
      /no conversation 01900000.*\(not_found\)\n$/,
    ],
  ])("%s: one line on standard error, nothing on standard output, exit 1", async (_, args, line) => {
    const { code, stdout, stderr } = await waypost(...args, "--json");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(line);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  test.each<[string, string[], RegExp]>([
    ["an unknown command", ["key", "eat"], /unknown command 'eat'[\s\S]*create[\s\S]*rotate/],
    ["no command", [], /Commands:[\s\S]*demo/],
    ["a missing option", ["org", "create"], /'--name <name>' not specified[\s\S]*1 to 100 characters/],
    [
      "an unknown scope",
      ["key", "rotate", "x", "--scopes", "all"],
      /Expected .*messages:send.*webhooks:manage/,
    ],
    [
      "no number",
      ["key", "rotate", "x", "--overlap", "1h"],
      /--overlap[\s\S]*Expected a whole number from 0 to 3155760000/,
    ],
    [
      "an overlap of more than a hundred years",
      ["key", "rotate", "x", "--overlap", "99999999999999999999"],
      /--overlap[\s\S]*Expected a whole number from 0 to 3155760000/,
    ],
    [
      "an expiry in more than a hundred years",
      ["key", "create", "--expires-in", "3155760001"],
      /--expires-in[\s\S]*Expected a whole number from 1 to 3155760000/,
    ],
    [
      "a number out of bounds",
      ["key", "create", "--send-limit", "1000001"],
      /Expected a whole number from 1 to 1000000/,
    ],
    ["nothing to set", ["key", "set", "x"], /nothing to change\. Expected '--send-limit <n>'/],
    ["no id", ["key", "list", "--org", "acme"], /Expected an id/],
  ])("%s: what is expected is said, exit 2", async (_, args, words) => {
    const { code, stdout, stderr } = await waypost(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(words);
  });

  test("another secret than the database's: nothing is done, and no secret is told", async () => {
    const env = {
      DATABASE_URL: world.database.url,
      WAYPOST_SECRET: "another secret, which isn't the right one",
    };
    const { code, stdout, stderr } = await runCommand(["org", "create", "--name", "X"], {
      ...env,
      WAYPOST_DATA_DIR: commands.directory,
    });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^waypost: WAYPOST_SECRET isn't the one/);
    expect(stderr).not.toContain("another secret");
  });

  test("a database that isn't there: said in one line, without its password", async () => {
    const env = { DATABASE_URL: "postgres://me:the-password@127.0.0.1:1/x", WAYPOST_SECRET: TEST_SECRET };
    const { code, stderr } = await runCommand(["key", "list"], {
      ...env,
      WAYPOST_DATA_DIR: commands.directory,
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^waypost: DATABASE_URL can't be used: connect ECONNREFUSED 127\.0\.0\.1:1\. See that .*\n$/,
    );
    expect(stderr).not.toContain("the-password");
  });

  test("a wrong variable is named", async () => {
    const { code, stderr } = await runCommand(["key", "list"], {
      PORT: "many",
      DATABASE_URL: "mysql://x",
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(/PORT must be[\s\S]*DATABASE_URL must be/);
  });
});

test("--help lists every command by its whole name, with what it does", async () => {
  const { code, stdout } = await waypost("--help");
  expect(code).toBe(0);
  // Long descriptions are wrapped.
  const lines = stdout.split("\n").map((line) => line.trim());
  for (const { name, description } of describeCommands()) {
    const [word = ""] = description.split(" ");
    const line = lines.find((one) => one.startsWith(`${name} `));
    expect(line?.slice(name.length).trim()).toMatch(new RegExp(`^${word}\\b`));
  }
});

test("--help is no failure", async () => {
  const { code, stdout } = await waypost("key", "--help");
  expect(code).toBe(0);
  expect(stdout).toMatch(/create[\s\S]*rotate[\s\S]*revoke[\s\S]*list/);
});
