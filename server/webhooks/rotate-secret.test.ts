import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { UNKNOWN_ID } from "../keys/testing";
import { createWebhook } from "./create";
import { getWebhook } from "./get";
import { rotateWebhookSecret } from "./rotate-secret";
import { type EncryptedSecrets, signatureHeaders } from "./secret";
import { auditOf, openWebhookWorld, type WebhookWorld } from "./testing";

let world: WebhookWorld;

beforeAll(async () => void (world = await openWebhookWorld()));
afterAll(() => world.close());

/** Which of the secrets sign now. */
async function signing(id: string, secrets: readonly string[]): Promise<boolean[]> {
  const [stored] = await world.sql<EncryptedSecrets[]>`
    select id as "endpointId", secret_encrypted as "secretEncrypted",
      case when former_secret_ends_at > now() then former_secret_encrypted end as "formerSecretEncrypted"
    from webhook_endpoints where id = ${id}`;
  if (!stored) throw new Error("There is no such endpoint");
  const headers = signatureHeaders(world.services.vault, stored, {
    deliveryId: UNKNOWN_ID,
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

test("the former secret signs beside the new one for 24 hours, or until the next rotation", async () => {
  const { ctx } = world;
  const first = await createWebhook({ ctx, input: { description: "Shop" } });
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
  expect(await signing(id, [first.secret, second.secret, third.secret])).toEqual([false, true, true]);

  await world.sql`update webhook_endpoints set former_secret_ends_at = now() where id = ${id}`;
  expect(await signing(id, [second.secret, third.secret])).toEqual([false, true]);
  expect((await getWebhook({ ctx, input: { id } })).former_secret_ends_at).toBeNull();

  const rows = JSON.stringify(await auditOf(world, id));
  expect(rows.match(/webhook\.secret_rotated/g)).toHaveLength(2);
  for (const { secret } of [first, second, third]) expect(rows).not.toContain(secret);
});

test("rotations at once follow one another: the last two secrets sign", async () => {
  const { ctx } = world;
  const { id } = await createWebhook({ ctx, input: {} });
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
