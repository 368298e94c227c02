import { type InngestConfig, inngestServerName } from "@/server/platform/inngest-config";
import { queueAge, type QueueAge } from "@/server/domain/messages/read/queue-age";
import { type JobHeartbeats, readJobHeartbeats, SERVER_QUIET_SECONDS } from "@/server/core/queue/heartbeats";
import { fail, type Finding, graded, ok, span, warn } from "./finding";
import type { UsableInstallation } from "./installation";
import { limitStatements } from "./statements";

/** The sweep runs every ten seconds. If an Inngest server triggers it, the first one can take a minute. */
const SWEEP_LATE_SECONDS = 90;
/** Without an Inngest server, nothing prevents it from running every ten seconds. */
const SWEEP_SLOW_SECONDS = 30;
/** Every process that runs jobs writes a heartbeat every five seconds. */
const SILENT_SECONDS = 12;
const DUE_LIMITS_SECONDS = { warn: 60, fail: 600 } as const;
const NOBODY = "no process is running jobs, so no messages are sent";
const START = "Start Waypost or a process with WAYPOST_ROLE=jobs.";

/** Checks whether jobs are run, and messages are handed over in time. */
export async function checkJobs({ config, database }: UsableInstallation): Promise<readonly Finding[]> {
  const [seen, queue] = await database.sql.begin("read only", async (tx) => {
    await limitStatements(tx);
    return [await readJobHeartbeats(tx), await queueAge(tx)] as const;
  });
  // While PostgreSQL runs for the examination alone, nothing else runs, however recent the last heartbeat is.
  const areRun = seen.areRun && database.via !== "own";
  const server = config.inngest === null ? [] : [inngestServer(config.inngest, seen, areRun)];
  const slowSeconds = config.inngest === null ? SWEEP_SLOW_SECONDS : SWEEP_LATE_SECONDS;
  const swept = areRun ? sweep(seen, slowSeconds) : nobody(seen, database.via === "own" ? warn : fail);
  return [swept, ...server, dueMessages(areRun, queue)];
}

function inngestServer(
  inngest: InngestConfig,
  { serverRanSecondsAgo: ago }: JobHeartbeats,
  areRun: boolean,
): Finding {
  const what = "Inngest server";
  const last = ago === null ? "never ran a function" : `ran a function ${span(ago)} ago`;
  if (ago !== null && ago <= SERVER_QUIET_SECONDS) return ok(what, last);
  const meanwhile = areRun ? "the processes that run jobs replace it for now" : NOBODY;
  return warn(what, `${last}; ${meanwhile}`, remedyOf(inngest));
}

/** Possible problems of a server. The processes that run jobs have found out which one it is. */
function remedyOf(inngest: InngestConfig): string {
  const keys = inngest.isDev
    ? ""
    : ", has the same INNGEST_EVENT_KEY and INNGEST_SIGNING_KEY as this installation";
  const calls = `${inngest.serveOrigin ?? "the address of the process that runs jobs"} with /api/inngest`;
  return (
    `Check that ${inngestServerName(inngest)} is running${keys}, and reaches ${calls} (INNGEST_SERVE_ORIGIN). ` +
    "The log of a process that runs jobs shows the problem."
  );
}

/** @param as a failure, except for an installation that is known not to run at all. */
function nobody(seen: JobHeartbeats, as: typeof fail): Finding {
  return as("sweep", `${lastSwept(seen)}; ${NOBODY}`, START);
}

function sweep(seen: JobHeartbeats, slowSeconds: number): Finding {
  const swept = seen.sweptSecondsAgo ?? Number.POSITIVE_INFINITY;
  const heartbeatAgo = seen.heartbeatSecondsAgo ?? Number.POSITIVE_INFINITY;
  const last = lastSwept(seen);
  if (swept > SWEEP_LATE_SECONDS) {
    const remedy = "Check the log of the process that runs jobs and restart it.";
    return fail("sweep", `${last}, but a process reports that it is running jobs`, remedy);
  }
  // Only the missing heartbeat distinguishes a killed process from a running one.
  const detail = `${last}; the last heartbeat of a process that runs jobs was ${span(heartbeatAgo)} ago`;
  if (swept <= slowSeconds && heartbeatAgo <= SILENT_SECONDS) return ok("sweep", detail);
  return warn(
    "sweep",
    detail,
    "Check that a process that runs jobs is still running, then run `doctor` again.",
  );
}

function lastSwept({ sweptSecondsAgo }: JobHeartbeats): string {
  return sweptSecondsAgo === null ? "never ran" : `ran ${span(sweptSecondsAgo)} ago`;
}

function dueMessages(
  areRun: boolean,
  { oldestDueSeconds, channels, oldestBehindSeconds }: QueueAge,
): Finding {
  const what = "due messages";
  const behind =
    oldestBehindSeconds === null
      ? ""
      : `; the oldest that waits for earlier messages of its conversation has been waiting for ${span(oldestBehindSeconds)}`;
  if (oldestDueSeconds === null) return ok(what, `none waits${behind}`);
  const seen = `the oldest has been waiting for ${span(oldestDueSeconds)}, on ${channels} ${channels === 1 ? "channel" : "channels"} in total${behind}`;
  if (!areRun) return fail(what, `${seen}; ${NOBODY}`, START);
  const state = graded(oldestDueSeconds, DUE_LIMITS_SECONDS);
  if (state === "ok") return ok(what, seen);
  const remedy =
    "Check the log for the cause. To send more messages at once, raise WAYPOST_SEND_SLOTS or start another process.";
  return { what, state, seen, remedy };
}
