import { webhookCounts } from "@/server/ops/metrics/claim";
import { countHiddenWriters } from "@/server/domain/webhooks/outbox/settled-until";
import { type Finding, graded, ok, span, warn } from "./finding";
import type { UsableInstallation } from "./installation";
import { limitStatements } from "./statements";

const LATE_LIMITS_SECONDS = { warn: 120, fail: 1_800 } as const;
/** If one endpoint fails, its owner is responsible. If several fail and none works, this installation is. */
const ALL_FAILING_MIN = 2;

/**
 * Checks whether webhooks are sent in time, whether they can be fetched in time, and whether their endpoints can be
 * reached from here.
 */
export async function checkWebhooks({ database }: UsableInstallation): Promise<readonly Finding[]> {
  const { oldestDueSeconds, endpoints, hidden } = await database.sql.begin("read only", async (tx) => {
    await limitStatements(tx);
    return { ...(await webhookCounts(tx)), hidden: await countHiddenWriters(tx) };
  });
  const countOf = (state: string) => endpoints.find((one) => one.state === state)?.count ?? 0;
  return [dueWebhooks(oldestDueSeconds), reach(countOf("working"), countOf("failing")), fetched(hidden)];
}

function dueWebhooks(oldestSeconds: number): Finding {
  const what = "due webhooks";
  if (oldestSeconds === 0) return ok(what, "none waits");
  const seen = `the oldest has been waiting for ${span(oldestSeconds)}`;
  const state = graded(oldestSeconds, LATE_LIMITS_SECONDS);
  if (state === "ok") return ok(what, seen);
  const remedy =
    "Check that a process is running jobs. To send more at once, raise WAYPOST_WEBHOOK_SLOTS or start another process.";
  return { what, state, seen, remedy };
}

function reach(working: number, failing: number): Finding {
  const what = "webhook endpoints";
  const seen = `${working} work, ${failing} fail`;
  if (failing < ALL_FAILING_MIN || working > 0) return ok(what, seen);
  return warn(what, seen, "Check that this machine can reach the internet and resolve host names.");
}

function fetched(hiddenWriters: number): Finding {
  const what = "fetched webhooks";
  if (hiddenWriters === 0) return ok(what, "no hidden sessions can delay them");
  return warn(
    what,
    `${hiddenWriters} sessions of other database roles may write events and can't be inspected`,
    "Events that programs fetch may be up to a minute late. Use one role for all processes, or grant pg_read_all_stats to each role.",
  );
}
