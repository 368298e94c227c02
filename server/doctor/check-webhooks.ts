import { webhookCounts } from "../metrics/claim";
import { type Finding, graded, ok, span, warn } from "./finding";
import type { UsableInstallation } from "./installation";
import { limitStatements } from "./statements";

const LATE_LIMITS_SECONDS = { warn: 120, fail: 1_800 } as const;
/** One that fails is its owner's matter; several, and no other, are this installation's. */
const ALL_FAILING_MIN = 2;

/** Whether webhooks are sent in time, and whether their endpoints can be reached from here. */
export async function checkWebhooks({ database }: UsableInstallation): Promise<readonly Finding[]> {
  const { oldestDueSeconds, endpoints } = await database.sql.begin("read only", async (tx) => {
    await limitStatements(tx);
    return webhookCounts(tx);
  });
  const countOf = (state: string) => endpoints.find((one) => one.state === state)?.count ?? 0;
  return [dueWebhooks(oldestDueSeconds), reach(countOf("working"), countOf("failing"))];
}

function dueWebhooks(oldestSeconds: number): Finding {
  const what = "due webhooks";
  if (oldestSeconds === 0) return ok(what, "none waits");
  const seen = `the oldest waits for ${span(oldestSeconds)}`;
  const state = graded(oldestSeconds, LATE_LIMITS_SECONDS);
  if (state === "ok") return ok(what, seen);
  const remedy =
    "See that a process runs jobs; WAYPOST_WEBHOOK_SLOTS, or a further process, sends more at once.";
  return { what, state, seen, remedy };
}

function reach(working: number, failing: number): Finding {
  const what = "webhook endpoints";
  const seen = `${working} work, ${failing} fail`;
  if (failing < ALL_FAILING_MIN || working > 0) return ok(what, seen);
  return warn(what, seen, "See that this machine reaches the internet, and that names are resolved here.");
}
