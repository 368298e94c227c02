import type { Services } from "../context";
import type { Readiness } from "../http/health";
import { atMost } from "./stop";

const DATABASE_ANSWER_MAX_MS = 1_000;

/** Whether this process can serve: its database answers, and it isn't going. */
export async function readinessOf(services: Services): Promise<Readiness> {
  let database = false;
  const asked = services.sql`select 1`.then(
    () => (database = true),
    () => undefined,
  );
  await atMost(DATABASE_ANSWER_MAX_MS, asked);
  return { parts: { database, accepting: !services.isStopping() } };
}
