import { readJobHeartbeats } from "@/server/core/queue/heartbeats";
import {
  type CallbackProblem,
  callbackProblems,
  intakeMinutesAgo,
  oldestWaitingCallback,
  type Silence,
  silences,
  type Unconfirmed,
  unconfirmed,
  type WaitingCallback,
} from "@/server/domain/channels/across-organizations";
import { fail, type Finding, graded, ok, span, warn } from "./finding";
import type { UsableInstallation } from "./installation";
import { limitStatements } from "./statements";

const INTAKE_LATE_MINUTES = 2;
const WAIT_LIMITS_SECONDS = { warn: 60, fail: 600 } as const;
/** The sweep gives up within seconds of the configured time. */
const GIVING_UP_SECONDS = 120;

/** Checks whether callbacks can arrive, do arrive, and are understood. */
export async function checkCallbacks({ config, database }: UsableInstallation): Promise<readonly Finding[]> {
  const { sql, via } = database;
  const facts = await sql.begin("read only", async (tx) => {
    await limitStatements(tx);
    const { areRun } = await readJobHeartbeats(tx);
    return {
      isServed: via !== "own" && (via === "server" || areRun),
      minutesAgo: await intakeMinutesAgo(tx),
      waiting: await oldestWaitingCallback(tx),
      problems: await callbackProblems(tx),
      doubted: await unconfirmed(tx),
      silences: await silences(tx),
    };
  });
  return [
    // While PostgreSQL runs for the examination alone, nothing else runs.
    via === "own" ? closedIntake(facts.minutesAgo) : intake(facts.minutesAgo, facts.isServed),
    unprocessed(facts.waiting),
    notUnderstood(facts.problems),
    inDoubt(facts.doubted, config.unconfirmedAfterSeconds),
    ...statuses(facts.silences),
  ];
}

function intake(minutesAgo: number | null, isServed: boolean): Finding {
  if (minutesAgo !== null && minutesAgo <= INTAKE_LATE_MINUTES) return ok("intake", "is open");
  if (!isServed) return closedIntake(minutesAgo);
  const remedy =
    "Check the log. A process with WAYPOST_ROLE=all or api must be running, and stored callbacks must be processed.";
  return fail("intake", lastOpen(minutesAgo), remedy);
}

function closedIntake(minutesAgo: number | null): Finding {
  const remedy = "Start Waypost. WhatsApp keeps callbacks for days and sends them again.";
  return warn("intake", lastOpen(minutesAgo), remedy);
}

function lastOpen(minutesAgo: number | null): string {
  if (minutesAgo === null) return "was never open";
  // The time is recorded in whole minutes.
  return `was last open ${minutesAgo < 1 ? "within the last minute" : `${span(minutesAgo * 60)} ago`}`;
}

function unprocessed(waiting: WaitingCallback | null): Finding {
  const what = "unprocessed";
  if (waiting === null) return ok(what, "none");
  const { seconds, tries } = waiting;
  const tried = tries === 0 ? "not tried yet" : `tried ${tries} times`;
  const seen = `the oldest has been waiting for ${span(seconds)}, ${tried}`;
  const state = graded(seconds, WAIT_LIMITS_SECONDS);
  if (state === "ok") return ok(what, seen);
  const remedy =
    tries === 0
      ? "Check that a process is running jobs."
      : "Check the log for the reason. The callback is kept and retried.";
  return { what, state, seen, remedy };
}

function notUnderstood(problems: readonly CallbackProblem[]): Finding {
  const what = "not understood";
  const [commonest] = problems;
  if (!commonest) return ok(what, "none in the last day");
  const callbacks = problems.reduce((sum, problem) => sum + problem.callbacks, 0);
  const seen = `${callbacks} in the last day, most often: ${commonest.problem}`;
  return warn(
    what,
    seen,
    "The other parts of these callbacks were processed. The callbacks are stored in upstream_callbacks, column problem.",
  );
}

function inDoubt({ messages, oldestSeconds }: Unconfirmed, afterSeconds: number): Finding {
  const what = "unconfirmed messages";
  if (messages === 0) return ok(what, "none");
  const seen = `${messages}, the oldest for ${span(oldestSeconds)}`;
  if (oldestSeconds <= afterSeconds + GIVING_UP_SECONDS) return ok(what, seen);
  const remedy = "They fail after callbacks have arrived for long enough. Check `intake` and `sweep`.";
  return warn(what, seen, remedy);
}

function statuses(silences: readonly Silence[]): Finding[] {
  if (silences.length === 0) return [ok("statuses", "no messages that should have a status")];
  return silences.map(({ channelId, channelName, accepted, silent }) => {
    const what = `statuses of ${channelId} (${channelName})`;
    const seen = `${silent} of ${accepted} accepted messages have no status after ten minutes`;
    if (silent === 0) return ok(what, `received for all ${accepted} accepted messages`);
    if (silent < accepted) return warn(what, seen, "If the number grows, check the callback URL at Meta.");
    const remedy = "Check that Meta calls the URL that `channel connect` printed and can reach it.";
    return fail(what, seen, remedy);
  });
}
