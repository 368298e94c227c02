import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  contactCalled,
  keepUpload,
  sendOfEveryKind,
  type TestPerson,
  writeUnderTwoNames,
} from "@/server/domain/contacts/testing";
import { openConversation, openSendWorld, type SendWorld } from "@/server/domain/messages/testing";
import { enforceRetention } from "./enforce";
import { breakingAfter, erasedOf, inOwnOrganization, passDays, placesOf, rowsOf, sentText } from "./testing";

let shared: SendWorld;
let world: SendWorld;
let ana: TestPerson;

beforeAll(async () => void (shared = await openSendWorld({ database: "own" })));
beforeEach(async () => void ({ world, ana } = await inOwnOrganization(shared)));
afterAll(() => shared.close());

const places = () => placesOf(world.sql, ana.words);
const enforce = () => enforceRetention(world.services);

describe("a run", () => {
  /** Adds old messages, in few statements. */
  async function addOldMessages(count: number): Promise<void> {
    const { contactId, threadId } = await openConversation(world.ctx, world.channelId, ana.number);
    await world.sql`
      insert into messages (id, organization_id, conversation_id, contact_id, channel_id, kind, type, content, recipient,
        state, created_at)
      select gen_random_uuid(), ${world.ctx.actor.organizationId}, ${threadId}, ${contactId}, ${world.channelId},
        'outbound', 'text', '{"text": {"body": "old"}}', ${ana.number}, 'sent', now()
      from generate_series(1, ${count})`;
    await passDays(world.ctx, 91);
  }

  async function keptCount(): Promise<number> {
    const [row] = await world.sql<{ count: number }[]>`
      select count(*)::int as count from messages
      where organization_id = ${world.ctx.actor.organizationId} and erased_at is null`;
    return row?.count ?? 0;
  }

  test("ends when its time is over, says that more is left, and the next goes on", async () => {
    await addOldMessages(1_300);
    const left = [await keptCount()];
    while (await enforceRetention(world.services, { runMs: 0 })) left.push(await keptCount());
    left.push(await keptCount());
    expect(left.length).toBeGreaterThan(3);
    expect(left.at(-1)).toBe(0);
    const erased = left.slice(1).map((count, index) => (left[index] ?? 0) - count);
    expect(Math.max(...erased)).toBeLessThanOrEqual(500);
    expect(await contactCalled(ana, ana.number)).toBe("");
  });

  test("beside another one does no harm", async () => {
    await addOldMessages(1_300);
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(world.services.log), {
      error: (fault: unknown) => errors.push(fault),
    });
    await Promise.all([1, 2, 3].map(() => enforceRetention({ ...world.services, log })));
    expect(await keptCount()).toBe(0);
    expect(await contactCalled(ana, ana.number)).toBe("");
    expect(errors).toEqual([]);
  });

  test("that broke off is gone on with, wherever that was", async () => {
    const { threadId } = await writeUnderTwoNames(ana);
    const { ids } = await sendOfEveryKind(ana, threadId, await keepUpload(ana));
    await world.sql`update messages set state = 'failed' where id = any(${ids}::uuid[]) and state = 'queued'`;
    await passDays(world.ctx, 91);
    let crashes = 0;
    for (let isDone = false; !isDone;) {
      const services = { ...world.services, sql: breakingAfter(world.services.sql, crashes) };
      isDone = await enforceRetention(services).then(
        () => true,
        () => false,
      );
      if (!isDone) crashes += 1;
    }
    expect(crashes).toBeGreaterThan(5);
    expect(await places()).toEqual(["uploads.filename"]);
  });

  test("with nothing to do asks two questions, and changes nothing", async () => {
    await writeUnderTwoNames(ana);
    await enforce();
    const { organizationId } = world.ctx.actor;
    const before = await rowsOf(world.sql, organizationId);
    expect(await enforceRetention({ ...world.services, sql: breakingAfter(world.services.sql, 2) })).toBe(
      false,
    );
    expect(await rowsOf(world.sql, organizationId)).toEqual(before);
  });

  test("in which something can't be erased says so, and erases the rest", async () => {
    const { threadId } = await openConversation(world.ctx, world.channelId, ana.number);
    const id = await sentText(world, threadId);
    const { world: other, ana: ben } = await inOwnOrganization(shared);
    const foreign = other.ctx;
    await writeUnderTwoNames(ben);
    await passDays(world.ctx, 91);
    await passDays(foreign, 91);
    // Makes the update fail by a constraint.
    await world.sql`alter table messages add constraint test_stuck check (id <> ${world.sql.unsafe(`'${id}'`)} or erased_at is null)`;
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(world.services.log), {
      error: (fault: unknown) => errors.push(fault),
    });
    await enforceRetention({ ...world.services, log });
    await world.sql`alter table messages drop constraint test_stuck`;
    expect(errors).toMatchObject([{ organizationId: world.ctx.actor.organizationId }]);
    expect(await placesOf(world.sql, ben.words)).toEqual([]);
    await enforce();
    expect(await erasedOf(world.sql, [id])).toEqual([true]);
  });
});
