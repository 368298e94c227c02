import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "@/e2e/support/command";
import type { SystemActor } from "@/server/core/actor";
import { type CommandWorld, openCommands } from "@/server/ops/cli/testing";
import type { Context } from "@/server/core/context";
import {
  connectTestChannel,
  createTestOrganization,
  openTestWorld,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import {
  having,
  startTemplateUpstream,
  type TemplateBehaviour,
  type TemplateUpstream,
  upstreamTemplate,
} from "@/server/domain/templates/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";

let world: TestWorld;
let ctx: Context<SystemActor>;
let commands: CommandWorld;
/** Replaces Meta. */
let upstream: TemplateUpstream;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  upstream = await startTemplateUpstream();
  ctx = await createTestOrganization(world.services);
  commands = await openCommands(world.database.url, { WAYPOST_GRAPH_URL: upstream.url });
});
afterAll(async () => {
  await commands.close();
  await upstream.close();
  await world.close();
});

/** Responds for one of Meta's numbers and its account. */
const knowing =
  (displayPhoneNumber: string): TemplateBehaviour =>
  (res, call) => {
    if (call.path.endsWith("/message_templates")) return having([upstreamTemplate()])(res, call);
    if (call.path.endsWith("/debug_token")) return answerJson(res, 200, { data: { is_valid: true } });
    if (call.path.endsWith("/phone_numbers")) {
      return answerJson(res, 200, { data: [{ id: "77", display_phone_number: displayPhoneNumber }] });
    }
    answerJson(res, 200, { id: call.path.split("/").at(-1), display_phone_number: displayPhoneNumber });
  };

const waypost = (...args: string[]) => commands.waypost(...args);

describe("a paused channel", () => {
  async function pausedChannel(): Promise<string> {
    const channelId = await connectTestChannel(ctx);
    const detail = JSON.stringify({ httpStatus: 401, upstreamCode: 190, reason: "Session has expired" });
    await world.database.sql`
      update channels set paused_at = '2026-01-02T03:04:05Z', pause_reason = 'credentials_invalid',
        pause_detail = ${detail}::text::jsonb, next_probe_at = now()
      where id = ${channelId}`;
    return channelId;
  }

  test("is listed with the reason, the upstream's words and what to do", async () => {
    const id = await pausedChannel();
    const org = ["--org", ctx.actor.organizationId];
    const { stdout } = await waypost("channel", "list", ...org);
    expect(stdout).toMatch(new RegExp(`^${id} .* paused$`, "m"));
    const why = [
      `${id} has been paused since 2026-01-02T03:04:05.000Z (credentials_invalid). Its messages are waiting.`,
      "WhatsApp says that the channel's access token has expired or is invalid.",
      "WhatsApp says: Session has expired",
      `An admin has to create a new token in Meta's business settings and replace the channel's access token on the Channels page. Use \`channel set ${id} --credentials FILE\`.`,
      `Waypost resumes the channel automatically when the problem is fixed. \`channel resume ${id}\` ends the pause immediately.`,
    ];
    expect(stdout).toContain(why.join("\n  "));
    const listed: unknown = JSON.parse((await waypost("channel", "list", ...org, "--json")).stdout);
    expect(listed).toContainEqual(
      expect.objectContaining({
        id,
        state: "paused",
        paused_at: "2026-01-02T03:04:05.000Z",
        pause_reason: "credentials_invalid",
        pause_detail: { httpStatus: 401, upstreamCode: 190, reason: "Session has expired" },
      }),
    );
  });

  test("is resumed, once, and the audit log says by what", async () => {
    const id = await pausedChannel();
    const resumed = await waypost("channel", "resume", id, "--json");
    expect(JSON.parse(resumed.stdout)).toEqual({ id, was_paused_for: "credentials_invalid" });
    const [row] = await world.database.sql`select paused_at, next_probe_at from channels where id = ${id}`;
    expect(row).toEqual({ paused_at: null, next_probe_at: null });
    const again = await waypost("channel", "resume", id);
    expect(again).toMatchObject({
      code: 0,
      stdout: `Channel ${id} isn't paused.
`,
    });
    const audit = await world.database.sql`
      select actor_id, action, detail from audit_log where subject_id = ${id} and action = 'channel.resumed'`;
    expect(audit).toEqual([
      {
        actor_id: "cli channel resume",
        action: "channel.resumed",
        detail: { pauseReason: "credentials_invalid" },
      },
    ]);
  });
});

describe("connecting a channel", () => {
  test("a channel is connected with credentials from a file, which are never printed", async () => {
    const file = path.join(commands.directory, "credentials.json");
    const credentials = { access_token: "the-token", app_secret: "the-secret", verify_token: "the-verify" };
    await writeFile(file, JSON.stringify(credentials));
    const names = ["--org", ctx.actor.organizationId, "--name", "Shop"];
    const ids = ["--phone-number-id", "77", "--waba-id", "88", "--default", "--credentials", file];
    upstream.behave(knowing("+1 555 0100"));
    const { stdout, stderr, code } = await waypost("channel", "connect", ...names, ...ids, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { id, callback_url, callback_url_is_public } = JSON.parse(stdout);
    expect(callback_url_is_public).toBe(false);
    expect(callback_url).toBe(`http://localhost:4321/api/upstream/whatsapp/${id}`);
    expect(stdout).not.toMatch(/the-(token|secret|verify)/);
    const list = await waypost("channel", "list", "--org", ctx.actor.organizationId, "--json");
    const listed: unknown = JSON.parse(list.stdout);
    expect(listed).toContainEqual({
      id,
      name: "Shop",
      upstream: "meta",
      phone_number_id: "77",
      display_phone_number: "+1 555 0100",
      is_default: true,
      state: "active",
      paused_at: null,
      pause_reason: null,
      pause_detail: null,
    });
    const table = await waypost("channel", "list", "--org", ctx.actor.organizationId);
    expect(table.stdout).toMatch(/^ID +NAME +UPSTREAM +PHONE NUMBER ID/);
    expect(table.stdout).toMatch(new RegExp(`^${id} +Shop +meta +77 +\\+1 555 0100 +yes +active$`, "m"));
    const [row] = await world.database.sql`select upstream, is_default from channels where id = ${id}`;
    expect(row).toEqual({ upstream: "meta", is_default: true });
    const templates = await world.database.sql`select name, state from templates where channel_id = ${id}`;
    expect(templates).toEqual([{ name: "order_update", state: "approved" }]);
  });

  test.each([
    [
      "an option by its name",
      { "phone-number-id": "abc" },
      {},
      /^waypost: `--phone-number-id` must be 1 to 32/,
    ],
    ["a credential by its name", {}, { access_token: "the token" }, /^waypost: `access_token` must be/],
  ])("what is wrong is named: %s", async (_, options, credentials, words) => {
    const file = path.join(commands.directory, "refused.json");
    const right = { access_token: "the-token", app_secret: "the-secret", verify_token: "the-verify" };
    await writeFile(file, JSON.stringify({ ...right, ...credentials }));
    const given = {
      "phone-number-id": "79",
      "waba-id": "88",
      "display-phone-number": "+15550102",
      ...options,
    };
    const wishes = Object.entries(given).flatMap(([name, value]) => [`--${name}`, value]);
    const whose = ["--org", ctx.actor.organizationId, "--name", "Shop", "--credentials", file];
    const { code, stdout, stderr } = await waypost("channel", "connect", ...whose, ...wishes, "--json");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(words);
    expect(stderr).not.toContain("the token");
  });

  test.each([
    [
      "what Meta refuses, in its words and at its option",
      401,
      { error: { code: 190, message: "Session has expired" } },
      /^waypost: `access_token` wasn't accepted\. Meta says: .*Session has expired/,
    ],
    ["what Meta can't be asked about", 503, {}, /^waypost: Meta couldn't be reached to check the number/],
  ])("nothing is saved of %s", async (_, status, answer, words) => {
    const file = path.join(commands.directory, "unknown.json");
    const credentials = { access_token: "the-token", app_secret: "the-secret", verify_token: "the-verify" };
    await writeFile(file, JSON.stringify(credentials));
    upstream.behave((res) => answerJson(res, status, answer));
    const whose = ["--org", ctx.actor.organizationId, "--name", "Shop", "--credentials", file];
    const ids = ["--phone-number-id", "83", "--waba-id", "88"];
    const { code, stdout, stderr } = await waypost("channel", "connect", ...whose, ...ids);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(/the-(token|secret|verify)/);
    expect(await world.database.sql`select from channels where phone_number_id = '83'`).toEqual([]);
  });

  test("a channel whose templates can't be read is connected all the same, and says so", async () => {
    const file = path.join(commands.directory, "wrong.json");
    const credentials = { access_token: "the-token", app_secret: "the-secret", verify_token: "the-verify" };
    await writeFile(file, JSON.stringify(credentials));
    upstream.behave((res) => answerJson(res, 401, { error: { code: 190, message: "Session has expired" } }));
    const names = [
      "--org",
      ctx.actor.organizationId,
      "--name",
      "Shop",
      "--display-phone-number",
      "+15550101",
    ];
    const ids = ["--phone-number-id", "78", "--waba-id", "88", "--credentials", file, "--unchecked"];
    const { code, stdout, stderr } = await waypost("channel", "connect", ...names, ...ids);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /was connected\. Its message templates can't be read yet \(\(#190\) Session has expired\)/,
    );
    expect(stdout).not.toMatch(/the-(token|secret|verify)/);
  });

  test.each([
    ["is said to be out of Meta's reach where no public one is known", {}, "http://localhost:4321", true],
    [
      "is the public one where that is known",
      { WAYPOST_PUBLIC_URL: "https://way.example" },
      "https://way.example",
      false,
    ],
  ])("the address for callbacks %s", async (_, env, address, warns) => {
    const file = path.join(commands.directory, "address.json");
    const credentials = { access_token: "the-token", app_secret: "the-secret", verify_token: "the-verify" };
    await writeFile(file, JSON.stringify(credentials));
    const number = ["--phone-number-id", warns ? "81" : "82", "--waba-id", "88"];
    const whose = ["--org", ctx.actor.organizationId, "--name", "Shop", "--credentials", file];
    const unchecked = ["--display-phone-number", "+15550103", "--unchecked"];
    const args = ["channel", "connect", ...whose, ...number, ...unchecked];
    const { stdout } = await runCommand(args, { ...commands.surroundings, ...env });
    expect(stdout).toContain(`\n${address}/api/upstream/whatsapp/`);
    expect(stdout.includes("Meta can't reach this URL")).toBe(warns);
  });
});
