import type { Sql } from "@/db/client";
import { JITTER, RETRY_STEPS_SECONDS } from "@/server/domain/webhooks/endpoints/schedule";

/** Waits longer than this are shortened; shorter ones are unchanged. */
const LONG_SECONDS = 120;
const FASTER = 60;

/**
 * Shortens the long waits of the retry schedule: the processes compute each as usual, and the database stores a
 * sixtieth of it. A retry that comes too early is therefore still detected.
 */
export async function shortenSchedule(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create function shorten_wait() returns trigger language plpgsql as $$
    begin
      if new.next_attempt_at > clock_timestamp() + interval '${LONG_SECONDS} seconds' then
        new.next_attempt_at := clock_timestamp() + (new.next_attempt_at - clock_timestamp()) / ${FASTER};
      end if;
      return new;
    end $$;
    create trigger shorten_wait before update of next_attempt_at on webhook_deliveries
      for each row execute function shorten_wait()`);
}

/** Returns the minimum time between the starts of this attempt and the next one. */
export function waitMsMin(number: number): number {
  const step = RETRY_STEPS_SECONDS[number - 1] ?? Number.POSITIVE_INFINITY;
  const seconds = step * (1 - JITTER);
  return (seconds > LONG_SECONDS ? seconds / FASTER : seconds) * 1000;
}
