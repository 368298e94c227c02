import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { crc32, inflateSync } from "node:zlib";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_SCOPES } from "@/server/core/capabilities";
import { servicesWith } from "@/server/core/testing";
import { equivalentHandles } from "@/server/adapters/whatsapp/handles";
import { ensureContact } from "@/server/domain/contacts/ensure";
import { createDemoOrganization, newHandles, newTwoFormNumber } from "@/server/ops/demo/create";
import type { Demo } from "@/server/ops/demo/demo";
import { authenticateKey } from "@/server/domain/keys/authenticate";
import { registerWithSimulator } from "@/server/ops/demo/register";
import { addMissingDemoTemplates } from "@/server/ops/demo/templates";
import { openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { outcomeFor } from "@/server/simulator/outcomes";
import { startSimulator } from "@/server/simulator/start";

let world: TestWorld;
let simulator: Awaited<ReturnType<typeof startSimulator>>;
let directory: string;
let demo: Demo;

beforeAll(async () => {
  world = await openTestWorld({ database: "own" });
  directory = await mkdtemp(path.join(tmpdir(), "waypost-demo-"));
  simulator = await startSimulator({
    directory: path.join(directory, "simulator"),
    port: 0,
    log: pino({ level: "silent" }),
  });
  demo = await makeDemo();
});
afterAll(async () => {
  await simulator.stop();
  await rm(directory, { recursive: true });
  await world.close();
});

const makeDemo = () =>
  createDemoOrganization({
    services: world.services,
    simulatorUrl: simulator.url,
    baseUrl: "http://localhost:3000",
  });

async function templatesOf(organizationId: string) {
  return world.database.sql<{ id: string; name: string; state: string; variables: string[] }[]>`
    select id, name, language, state, variables, channel_id from templates
    where organization_id = ${organizationId} order by channel_id, name`;
}

async function conversation(id: string) {
  const [row] = await world.database.sql`
    select organization_id, contact_id, channel_id, status, assignee_id,
           extract(epoch from now() - last_inbound_at)::float8 as "silentSeconds"
    from conversations where id = ${id}`;
  if (!row) throw new Error("no such conversation");
  return row;
}

/** Returns the texts of the default channel's phone of a customer. */
async function textsOnPhone({ phone_number_ids }: Demo, customer: string): Promise<unknown> {
  const query = new URLSearchParams({ phone_number_id: phone_number_ids.default, customer }).toString();
  const response = await fetch(`${simulator.url}/simulator/phone?${query}`);
  const { messages }: { messages: { from: string; bubble: { text?: string } }[] } = await response.json();
  return messages.map(({ from, bubble }) => ({ from, text: bubble.text }));
}

const WROTE_FIRST = [{ from: "customer", text: "Hello! Is my order on its way?" }];

describe("a demo organization", () => {
  test("has a sign-in that works, for its owner", async () => {
    const [user] = await world.database.sql<{ password: string }[]>`
      select c.password from users u join members m on m.user_id = u.id join accounts c on c.user_id = u.id
      where u.email = ${demo.sign_in.email} and m.organization_id = ${demo.organization_id} and m.role = 'owner'`;
    const hash = user?.password ?? "";
    expect(await world.services.passwords.verify({ hash, password: demo.sign_in.password })).toBe(true);
  });

  test("has an API key with the default limits, which may manage webhooks, too", async () => {
    const xApiKey = demo.api_key.secret;
    const actor = await authenticateKey({ services: world.services, authorization: undefined, xApiKey });
    expect(actor).toMatchObject({
      keyId: demo.api_key.id,
      organizationId: demo.organization_id,
      scopes: [...DEFAULT_SCOPES, "webhooks:manage"],
      channelIds: null,
      sendLimit: 60,
      readLimit: 600,
    });
  });

  test("has an open window, a closed one, and a contact without a conversation, on the default channel", async () => {
    const { open_window, closed_window, no_conversation } = demo.contacts;
    const open = await conversation(open_window.thread_id);
    expect(open).toMatchObject({ channel_id: demo.channels.default, contact_id: open_window.contact_id });
    expect(open.silentSeconds).toBeLessThan(60);
    const closed = await conversation(closed_window.thread_id);
    expect(closed).toMatchObject({ channel_id: demo.channels.default, contact_id: closed_window.contact_id });
    expect(Math.round(closed.silentSeconds / 86_400)).toBe(3);
    const threads = await world.database.sql`
      select contact_id from conversations where organization_id = ${demo.organization_id}`;
    expect(threads).toHaveLength(3);
    expect(threads.map((thread) => thread.contact_id)).not.toContain(no_conversation.contact_id);
    for (const { handle, contact_id } of [open_window, closed_window, no_conversation]) {
      const [identity] = await world.database.sql`
        select contact_id from contact_identities
        where organization_id = ${demo.organization_id} and handle = ${handle}`;
      expect(identity?.contact_id).toBe(contact_id);
      expect(outcomeFor(handle).name).toBe("read");
    }
  });

  test("has a conversation that is closed and assigned, with an open window", async () => {
    const { thread_id, assignee_id } = demo.threads.closed_and_assigned;
    const thread = await conversation(thread_id);
    expect(thread).toMatchObject({ status: "closed", assignee_id, channel_id: demo.channels.default });
    expect(thread.silentSeconds).toBeLessThan(60);
  });

  test("has a number whose two written forms belong to two contacts", async () => {
    const forms = equivalentHandles(demo.contacts.conflicting.handle);
    expect(forms).toHaveLength(2);
    const { services } = world;
    const actor = { kind: "system", organizationId: demo.organization_id, job: "test" } as const;
    for (const handle of forms) {
      const ensuring = ensureContact({ ctx: { services, actor, requestId: null }, input: { handle } });
      await expect(ensuring).rejects.toMatchObject({ code: "identity_conflict" });
    }
  });

  test("has on the customers' phones what they wrote", async () => {
    const { open_window, closed_window, no_conversation } = demo.contacts;
    expect(await textsOnPhone(demo, open_window.handle)).toEqual(WROTE_FIRST);
    expect(await textsOnPhone(demo, closed_window.handle)).toEqual(WROTE_FIRST);
    expect(await textsOnPhone(demo, no_conversation.handle)).toEqual([]);
  });

  test("has an internal note", async () => {
    const [note] = await world.database.sql`
      select kind, organization_id, state from messages where id = ${demo.internal_note_id}`;
    expect(note).toEqual({ kind: "note", organization_id: demo.organization_id, state: null });
  });

  test("has a picture to send: a PNG of 8-bit colours, whole on the disk", async () => {
    const [upload] = await world.database.sql<{ id: string; mime_type: string; sha256: string }[]>`
      select id, mime_type, sha256 from uploads
      where storage_key = ${demo.uploads.image.storage_key} and organization_id = ${demo.organization_id}`;
    expect(upload?.mime_type).toBe("image/png");
    const stored = await world.services.uploads.find(upload?.id ?? "");
    const chunks: Uint8Array[] = [];
    for await (const chunk of stored?.read() ?? []) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    expect(createHash("sha256").update(bytes).digest("hex")).toBe(upload?.sha256);
    const [length, type] = [bytes.readUInt32BE(33), bytes.toString("latin1", 37, 41)];
    expect({ type, depth: bytes[24], colours: bytes[25] }).toEqual({ type: "IDAT", depth: 8, colours: 2 });
    expect(crc32(bytes.subarray(37, 41 + length))).toBe(bytes.readUInt32BE(41 + length));
    expect(inflateSync(bytes.subarray(41, 41 + length))).toHaveLength(96 * (1 + 96 * 3));
  });

  test("has templates in every state and of every shape, five on its default channel and one on its second, with the values that they need", async () => {
    const rows = await templatesOf(demo.organization_id);
    const { approved_on_second, ...onDefault } = demo.templates;
    const described = [
      ...Object.entries(onDefault).map(([key, template]) => ({
        state: key.split("_")[0],
        template,
        place: "default" as const,
      })),
      { state: "approved", template: approved_on_second, place: "second" as const },
    ];
    const sorted = rows.map((row) => ({ ...row, variables: row.variables.toSorted() }));
    expect(sorted).toEqual(
      described.map(({ state, template, place }) => ({
        id: template.template_submission_id,
        name: template.name,
        language: template.language,
        state,
        variables: Object.keys(template.variables ?? {}).toSorted(),
        channel_id: demo.channels[place],
      })),
    );
    expect(rows.map((row) => row.name)).toEqual([
      "order_update",
      "order_update_pending",
      "order_update_rejected",
      "parcel_arrived",
      "shop_news",
      "offer_update",
    ]);
  });

  test("has its templates and its phones made up for, where no simulator ran when it was made", async () => {
    const { services } = world;
    const baseUrl = "http://localhost:3000";
    const early = await createDemoOrganization({ services, simulatorUrl: null, baseUrl });
    expect(Object.values(early.templates)).toEqual([{}, {}, {}, {}, {}, {}]);
    const reported = servicesWith(services, { urls: { upstream: () => simulator.url } });
    await addMissingDemoTemplates(reported);
    expect(await templatesOf(early.organization_id)).toEqual([]);
    await registerWithSimulator({ services, simulatorUrl: simulator.url, baseUrl });
    await addMissingDemoTemplates(reported);
    expect(await textsOnPhone(early, early.contacts.open_window.handle)).toEqual(WROTE_FIRST);
    const made = await templatesOf(early.organization_id);
    expect(made.map((row) => row.state)).toEqual([
      "approved",
      "pending",
      "rejected",
      "approved",
      "approved",
      "approved",
    ]);
    await addMissingDemoTemplates(servicesWith(services, { urls: { upstream: () => "http://127.0.0.1:1" } }));
    expect(await templatesOf(early.organization_id)).toEqual(made);
  });

  test("has two channels that the simulator serves: what its customer writes is owed to their address", async () => {
    for (const name of ["default", "second"] as const) {
      const channelId = demo.channels[name];
      const [channel] = await world.database.sql<{ phone_number_id: string }[]>`
        select phone_number_id from channels
        where id = ${channelId} and upstream = 'simulator' and is_default = ${channelId === demo.channels.default}`;
      expect(channel?.phone_number_id).toBe(demo.phone_number_ids[name]);
      const response = await fetch(`${simulator.url}/simulator/inbound`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          phone_number_id: demo.phone_number_ids[name],
          from: "4915112345678",
          text: { body: "Hi" },
        }),
      });
      expect(response.status).toBe(200);
    }
  });

  test("is independent of every other: nothing of one is found in another", async () => {
    const other = await makeDemo();
    const leaves = (value: unknown): string[] =>
      typeof value === "object" && value !== null ? Object.values(value).flatMap(leaves) : [String(value)];
    const shared = new Set(leaves(demo).filter((leaf) => leaves(other).includes(leaf)));
    const wording = Object.values(demo.templates).flatMap(({ name, language, variables }) =>
      leaves({ name, language, variables }),
    );
    expect(shared).toEqual(new Set([demo.base_url, demo.simulator_url, ...wording]));
    expect(Object.keys(other)).toEqual([
      "base_url",
      "simulator_url",
      "organization_id",
      "sign_in",
      "api_key",
      "channels",
      "phone_number_ids",
      "contacts",
      "threads",
      "templates",
      "uploads",
      "internal_note_id",
    ]);
  });
});

test("no new number has an outcome of its own in the simulator", () => {
  const numbers = [...newHandles(2_000), ...Array.from({ length: 2_000 }, () => newTwoFormNumber().long)];
  for (const number of numbers) {
    expect(number).toMatch(/^[1-9][0-9]{11,12}$/);
    expect(outcomeFor(number).name).toBe("read");
  }
  expect(new Set(numbers).size).toBeGreaterThan(3_990);
});
