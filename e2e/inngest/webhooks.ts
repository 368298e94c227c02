import { expect, test } from "vitest";
import { attemptsOf, wrongAttempts } from "@/e2e/crash/attempts";
import { until } from "@/e2e/support/until";
import { addWebhookEndpoint, type WebhookEndpoint } from "@/e2e/support/webhooks";
import { type EngineUnderTest, readBy } from "./scenarios";
import type { JobsWorld } from "./world";

const MESSAGES = 20;
const REPORTED_MS_MAX = 90_000;

/** Tests webhooks with any engine. The receiver also gets events of messages sent afterwards. */
export function testWebhooks(engine: () => EngineUnderTest): void {
  test("webhooks are told by another process; what is refused is tried again when its time has come, once", async () => {
    const { world } = engine();
    const { id } = await addEndpoint(world);
    const refused = refuseFirst(world.receiver);
    await sendAndReport(world, MESSAGES);
    const attempts = await attemptsOf(world.sql, id);
    expect(attempts.length).toBeGreaterThan(2 * MESSAGES);
    expect(wrongAttempts(attempts, [])).toEqual([]);
    expect(attempts.filter(({ number }) => number > 1).map((one) => one.id)).toEqual([refused.id]);
    expect(calledAgain(world)).toEqual([refused.id]);
  });

  test("a webhook whose wake-up is lost is told, once", async () => {
    const { world, losingSignals } = engine();
    const endpoint = await addEndpoint(world);
    await sendAndReport(world, 1);
    const [reported] = await attemptsOf(world.sql, endpoint.id);
    if (reported === undefined) throw new Error("Nothing was told");
    world.receiver.calls.length = 0;
    await losingSignals(() => endpoint.redeliver(reported.id));
    const isReported = () => world.receiver.calls.length > 0;
    await until("it is told again", isReported, { timeoutMs: REPORTED_MS_MAX });
    await untilReported(world);
    expect(world.receiver.calls.map(({ headers }) => headers["webhook-id"])).toEqual([reported.id]);
    await endpoint.remove();
  });
}

function addEndpoint({ api, customers, receiver }: JobsWorld): Promise<WebhookEndpoint> {
  return addWebhookEndpoint(api, customers.organizationId, receiver.url);
}

/** Has it respond to the first call with 500, and to all others with success. @returns the id of that call. */
function refuseFirst(receiver: JobsWorld["receiver"]): { readonly id: string } {
  const refused = { id: "" };
  receiver.answers((response, { headers }) => {
    const isFirst = refused.id === "";
    if (isFirst) refused.id = String(headers["webhook-id"]);
    response.writeHead(isFirst ? 500 : 204).end();
  });
  return refused;
}

/** Sends, and resolves when the `message.read` events were delivered. */
async function sendAndReport(world: JobsWorld, count: number): Promise<void> {
  const sending = world.send(count);
  await sending.done;
  const areRead = async () => (await readBy(world, sending)) === count;
  await until("the customers' reading is seen", areRead, { timeoutMs: REPORTED_MS_MAX });
  await untilReported(world);
}

/** Resolves when no event waits for delivery. */
export async function untilReported({ sql, customers }: JobsWorld): Promise<void> {
  const isAllReported = async () => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from webhook_deliveries
      where organization_id = ${customers.organizationId} and is_pending`;
    return row?.count === 0;
  };
  await until("everything is told", isAllReported, { timeoutMs: REPORTED_MS_MAX });
}

/** Returns ids of webhooks that arrived more than once. */
export function calledAgain({ receiver }: JobsWorld): readonly string[] {
  const ids = receiver.calls.map(({ headers }) => String(headers["webhook-id"]));
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}
