import type { ReadMarkFailure } from "@/db/schema";
import { perServices, type Services } from "@/server/core/context";
import { callerOf } from "@/server/domain/channels/caller";
import { newCalls } from "@/server/lib/new-calls";
import { createSemaphore } from "@/server/lib/semaphore";
import { retryDelaySeconds } from "../deliver/backoff";
import { type ClaimedMark, claimMarks, nextMarkAt } from "./claim-marks";

const RUN_MS = 10_000;
/** Maximum number of concurrent calls, over all channels of this process. They take none of the messages' slots. */
const CALLS_MAX = 8;
const callsOf = perServices(() => createSemaphore(CALLS_MAX));

type Result =
  | { readonly end: "done" | ReadMarkFailure }
  | { readonly end: "retry"; readonly seconds: number };

/**
 * Hands due marks of a channel to the upstream, until none is due or ten seconds have passed, and requests the next run.
 * A mark that is requested again while its call runs is handed over once more. A repeated call does no harm.
 */
export async function handOverMarks(services: Services, channelId: string): Promise<void> {
  const endsAt = performance.now() + RUN_MS;
  while (!services.lifecycle.isStopping()) {
    await newCalls.allowed();
    const marks = await claimMarks(services, channelId);
    await Promise.all(marks.map((mark) => callsOf(services).run(() => handOver(services, mark))));
    if (marks.length === 0) {
      const at = await nextMarkAt(services, channelId);
      if (at !== null) services.jobs.notifyMarks(channelId, at);
      return;
    }
    if (performance.now() > endsAt) return services.jobs.notifyMarks(channelId);
  }
}

/** If the outcome can't be stored, the claim ends by itself, and the mark is due again. */
async function handOver(services: Services, mark: ClaimedMark): Promise<void> {
  try {
    await record(services, mark, await call(services, mark));
  } catch (error) {
    services.log.error({ err: error, threadId: mark.conversationId }, "handing over a mark as read failed");
  }
}

async function call(services: Services, mark: ClaimedMark): Promise<Result> {
  if (mark.upstreamId === null) return { end: "not_markable" };
  if (mark.isTooLate) return { end: "expired" };
  const seconds = retryDelaySeconds(mark.attempts);
  const caller = callerOf(services, mark.channel);
  if ("kind" in caller) return { end: "retry", seconds };
  const { upstreamId: messageId, isTyping } = mark;
  const outcome = await services.whatsapp.markRead({ ...caller, messageId, isTyping });
  if (outcome.kind === "accepted") return { end: "done" };
  if (outcome.kind === "retry") return { end: "retry", seconds };
  const { conversationId: threadId } = mark;
  services.log.warn({ threadId, ...outcome.detail }, "WhatsApp refused to mark a message as read");
  return { end: "rejected" };
}

/** A request in the meantime has reset the number of attempts: then the mark stays due. */
async function record({ sql, metrics }: Services, mark: ClaimedMark, result: Result): Promise<void> {
  const isOver = result.end !== "retry";
  const failure = result.end === "done" || result.end === "retry" ? null : result.end;
  await sql`
    update read_marks r set claim_token = null, claimed_until = null,
      is_pending = r.is_pending and not (f.is_same and ${isOver}::boolean),
      failure = case when f.is_same then ${failure}::text end,
      typing_at = case when f.is_same and ${result.end === "done"}::boolean then null else r.typing_at end,
      next_attempt_at = case when f.is_same and ${!isOver}::boolean
        then clock_timestamp() + make_interval(secs => ${result.end === "retry" ? result.seconds : 0}::float8)
        else r.next_attempt_at end
    from (select conversation_id, attempts = ${mark.attempts}::int as is_same from read_marks
      where conversation_id = ${mark.conversationId} and organization_id = ${mark.organizationId} for no key update) f
    where r.conversation_id = f.conversation_id and r.organization_id = ${mark.organizationId}
      and r.claim_token = ${mark.claimToken}`;
  metrics.count("waypost_read_marks_total", { result: result.end });
}
