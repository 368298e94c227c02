import { perServices, type Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";

const MIB = 1024 * 1024;
/** Limit of a channel's backlog of callbacks: the bytes that arrive in this many minutes at its rate limit. */
const BACKLOG_MINUTES = 4;
/** Size of a row in addition to its body, because many small bodies fill a disk as well. */
const ROW_BYTES = 256;
/** Minimum size that a waiting callback counts in the backlog. It limits the rows that a backlog query reads. */
const WAITING_BYTES_MIN = 4096;
const POLL_EVERY_MS = 5_000;
/** Above this number, channels without recent callbacks are forgotten. */
const CHANNELS_MAX = 1_000;

const WINDOW_SECONDS = 60;

interface Backlog {
  readonly channelId: string;
  /** In bytes. */
  readonly backlogMax: number;
}

interface Intake {
  readonly window: ReturnType<typeof createByteWindow>;
  /** The latest backlog query, which concurrent callbacks share. */
  look: { readonly atMs: number; readonly bytes: Promise<number> } | null;
  lastAtMs: number;
}

/**
 * Admits or refuses a signed callback, so that the holder of one channel's app secret can fill neither the disk nor the
 * processing time of others. Meta retries a refused callback for days.
 * @throws WaypostError `rate_limited` above this process's limit of bytes per minute and channel, and while the
 * channel's backlog is too large.
 */
export async function admitCallback(services: Services, channelId: string, bytes: number): Promise<void> {
  const intake = intakeOf(services, channelId);
  const bytesPerMinute = services.config.callbackMibPerMinute * MIB;
  const backlogMax = BACKLOG_MINUTES * bytesPerMinute;
  if ((await backlogOf(services, intake, { channelId, backlogMax })) > backlogMax)
    throw limited("Too many callbacks of this channel wait to be processed.", POLL_EVERY_MS / 1000);
  const waitSeconds = intake.window.take(bytes + ROW_BYTES, bytesPerMinute);
  if (waitSeconds === null) return;
  const { callbackMibPerMinute } = services.config;
  throw limited(`Callbacks of this channel exceed ${callbackMibPerMinute} MiB a minute.`, waitSeconds);
}

const limited = (message: string, waitSeconds: number) =>
  new WaypostError("rate_limited", { message, headers: { "Retry-After": String(waitSeconds) } });

const intakes = perServices(() => new Map<string, Intake>());

function intakeOf(services: Services, channelId: string): Intake {
  const known = intakes(services);
  const nowMs = performance.now();
  const intake = known.get(channelId) ?? { window: createByteWindow(), look: null, lastAtMs: nowMs };
  intake.lastAtMs = nowMs;
  known.set(channelId, intake);
  if (known.size > CHANNELS_MAX) forgetIdle(known, nowMs);
  return intake;
}

function forgetIdle(known: Map<string, Intake>, nowMs: number): void {
  for (const [channelId, { lastAtMs }] of known) if (nowMs - lastAtMs > 60_000) known.delete(channelId);
}

/** Size of the backlog in bytes at the latest query. The limit per minute bounds what has arrived since. */
function backlogOf(services: Services, intake: Intake, of: Backlog): Promise<number> {
  const nowMs = performance.now();
  if (intake.look === null || nowMs - intake.look.atMs > POLL_EVERY_MS) {
    intake.look = { atMs: nowMs, bytes: readBacklog(services, of) };
    intake.look.bytes.catch(() => (intake.look = null));
  }
  return intake.look.bytes;
}

/**
 * Reads the size of the oldest waiting callbacks in bytes. It reads just enough of them to see whether the limit is
 * exceeded.
 */
async function readBacklog({ sql }: Services, { channelId, backlogMax }: Backlog): Promise<number> {
  const rowsMax = Math.floor(backlogMax / WAITING_BYTES_MIN) + 1;
  const [row] = await sql<{ bytes: number }[]>`
    select coalesce(sum(greatest(octet_length(body) + ${ROW_BYTES}::int, ${WAITING_BYTES_MIN}::int)), 0)::float8 as bytes
    from (select body from upstream_callbacks
      where channel_id = ${channelId} and processed_at is null order by received_at limit ${rowsMax}) waiting`;
  return row?.bytes ?? 0;
}

/** Counts bytes per second over the last minute, and never admits more than the limit in any 60 seconds. */
export function createByteWindow(nowSeconds: () => number = () => Math.floor(performance.now() / 1000)) {
  const bytesBySecond = new Map<number, number>();
  let total = 0;

  function forgetOld(now: number): void {
    for (const [second, bytes] of bytesBySecond) {
      if (second > now - WINDOW_SECONDS - 1) return;
      bytesBySecond.delete(second);
      total -= bytes;
    }
  }

  return {
    /** @returns null if the bytes were admitted, else the seconds until enough are free again. */
    take(bytes: number, limit: number): number | null {
      const now = nowSeconds();
      forgetOld(now);
      if (total + bytes > limit) return secondsUntilFree(total + bytes - limit, now);
      bytesBySecond.set(now, (bytesBySecond.get(now) ?? 0) + bytes);
      total += bytes;
      return null;
    },
  };

  function secondsUntilFree(excess: number, now: number): number {
    let freed = 0;
    for (const [second, bytes] of bytesBySecond) {
      freed += bytes;
      if (freed >= excess) return Math.max(1, second + WINDOW_SECONDS + 1 - now);
    }
    return WINDOW_SECONDS;
  }
}
