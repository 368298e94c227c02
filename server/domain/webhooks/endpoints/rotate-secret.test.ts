import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { UNKNOWN_ID } from "@/server/domain/keys/testing";
import { createWebhook } from "./create";
import { getWebhook } from "./get";
import { FORMER_SECRETS_MAX, rotateWebhookSecret } from "./rotate-secret";
import { readSecrets, signatureHeaders } from "./secret";
import { auditOf, openWebhookWorld, type WebhookWorld } from "../testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld({ database: "own" })));
afterAll(() => world.close());

/** Returns which of the secrets currently sign. */
async function signing(id: string, secrets: readonly string[]): Promise<boolean[]> {
  const stored = await readSecrets(world.sql, { id, organizationId: world.ctx.actor.organizationId });
  const headers = signatureHeaders(world.services.vault, stored, {
    webhookId: UNKNOWN_ID,
    at: new Date(),
    body: "{}",
  });
  return secrets.map((secret) => {
    try {
      new Webhook(secret).verify("{}", { ...headers });
      return true;
    } catch {
      return false;
    }
  });
}

test("each former secret signs beside the new one for its 24 hours, also over the next rotation", async () => {
  const { ctx } = world;
  const first = await createWebhook({ ctx, input: { url: null, description: "Shop" } });
  const { id } = first;
  const rotate = () => rotateWebhookSecret({ ctx, input: { id } });
  const second = await rotate();
  const endsAt = second.former_secret_ends_at ?? "";
  expect(second).toEqual({
    ...first,
    former_secret_ends_at: expect.any(String),
    secret: expect.stringMatching(/^whsec_/),
  });
  expect(Date.parse(endsAt) - Date.now()).toBeGreaterThan(24 * 3_600_000 - 60_000);
  expect(Date.parse(endsAt) - Date.now()).toBeLessThan(24 * 3_600_000 + 60_000);
  expect(await signing(id, [first.secret, second.secret])).toEqual([true, true]);

  const third = await rotate();
  const all = [first.secret, second.secret, third.secret];
  expect(await signing(id, all)).toEqual([true, true, true]);
  expect(third.former_secret_ends_at).not.toBe(second.former_secret_ends_at);

  await world.sql`update webhook_former_secrets set ends_at = now()
    where endpoint_id = ${id} and ends_at = (select min(ends_at) from webhook_former_secrets where endpoint_id = ${id})`;
  expect(await signing(id, all)).toEqual([false, true, true]);
  expect((await getWebhook({ ctx, input: { id } })).former_secret_ends_at).toBe(third.former_secret_ends_at);

  await world.sql`update webhook_former_secrets set ends_at = now() where endpoint_id = ${id}`;
  expect(await signing(id, all)).toEqual([false, false, true]);
  expect((await getWebhook({ ctx, input: { id } })).former_secret_ends_at).toBeNull();

  const rows = JSON.stringify(await auditOf(world, id));
  expect(rows.match(/webhook\.secret_rotated/g)).toHaveLength(2);
  for (const { secret } of [first, second, third]) expect(rows).not.toContain(secret);
});

test("of many rotations the last four former secrets sign, and no other is kept", async () => {
  const { ctx } = world;
  const { id, secret } = await createWebhook({ ctx, input: { url: null } });
  const secrets = [secret];
  for (let n = 0; n < FORMER_SECRETS_MAX + 1; n += 1) {
    secrets.push((await rotateWebhookSecret({ ctx, input: { id } })).secret);
  }
  expect(await signing(id, secrets)).toEqual([false, true, true, true, true, true]);
  expect(await world.sql`select from webhook_former_secrets where endpoint_id = ${id}`).toHaveLength(
    FORMER_SECRETS_MAX,
  );
});

test("rotations at once follow one another: each one's secret signs", async () => {
  const { ctx } = world;
  const { id } = await createWebhook({ ctx, input: { url: null } });
  const rotate = () => rotateWebhookSecret({ ctx, input: { id } });
  const made = await world.sql.begin(async (tx) => {
    await tx`select from webhook_endpoints where id = ${id} for update`;
    const both = Promise.all([rotate(), rotate()]);
    await until("both wait for the endpoint", async () => (await countWaiting()) === 2);
    return { both };
  });
  const secrets = (await made.both).map(({ secret }) => secret);
  expect(await signing(id, secrets)).toEqual([true, true]);
});

async function countWaiting(): Promise<number | undefined> {
  const [row] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count;
}
