/**
 * The port that verbs call after their commit. Rows are the truth and these are only wake-ups: a lost one is found
 * by the sweep, so nothing here waits, throws or is retried.
 */
export interface Jobs {
  /** Messages of the channel are due now, or will be at `at`. */
  wakeChannel(channelId: string, at?: Date): void;
  /** Raw callbacks that came to the channel wait to be processed. */
  wakeCallbacks(channelId: string): void;
  /** Deliveries to the webhook endpoint are due now, or will be at `at`. */
  wakeEndpoint(endpointId: string, at?: Date): void;
}

/** For a process that wakes nobody: those that run jobs look for due rows by themselves. */
export const NO_JOBS: Jobs = {
  wakeChannel: () => undefined,
  wakeCallbacks: () => undefined,
  wakeEndpoint: () => undefined,
};

/** Whom a wake-up is for: a channel, its callbacks, or a webhook endpoint. */
export interface Woken {
  readonly kind: "channel" | "callbacks" | "endpoint";
  /** Of the channel, or of the endpoint. */
  readonly id: string;
}

export interface Wake extends Woken {
  /** Null: now. */
  readonly at: Date | null;
}

export interface CoalescedJobs extends Jobs {
  /** A wake-up has arrived: the next one of its kind is sent again. */
  arrived(woken: Woken): void;
  /** Whoever was sent wake-ups for later has dropped them: those that aren't due yet are sent again. */
  resend(): void;
}

/** A wake-up for later that should have arrived so long ago was lost: it holds the next one up no more. */
const LOST_AFTER_MS = 2_000;
/**
 * After a wake-up for now was sent, the next is held up so long, unless it arrives before: another process may run it,
 * and then this one doesn't see it arrive. What was asked for meanwhile is sent then: it may have come too late for that run.
 */
const HOLD_MS = 250;

/** A wake-up for now that is out. */
interface Out {
  isAskedForAgain: boolean;
}

export interface CoalesceOptions {
  /** Reaches a run of this process directly; true when there is one. */
  readonly tellRunning: (woken: Woken) => boolean;
  /** Never rejects: a wake-up that can't be sent is logged, and forgotten. */
  readonly send: (wakes: readonly Wake[]) => Promise<void>;
  readonly now?: () => number;
  readonly holdMs?: number;
}

/**
 * Sends few wake-ups for many: at most one waits per channel, one for its callbacks, and one per endpoint. The earliest
 * wins: an immediate one is never swallowed by one for later. Those of one turn of the event loop go out together.
 */
export function coalesceJobs(options: CoalesceOptions): CoalescedJobs {
  const { tellRunning, send, now = Date.now, holdMs = HOLD_MS } = options;
  const soon = new Map<string, Out>();
  const later = createLater(now);
  let outbox = new Map<string, Wake>();

  function postSoon(wake: Wake): void {
    const name = nameOf(wake);
    const out = soon.get(name);
    if (out) {
      out.isAskedForAgain = true;
      return;
    }
    soon.set(name, { isAskedForAgain: false });
    enqueue(`soon:${name}`, wake);
  }

  function postLater(wake: Wake, due: number): void {
    const name = nameOf(wake);
    if (!soon.has(name) && later.put(name, wake, due)) enqueue(`later:${name}`, wake);
  }

  function enqueue(name: string, wake: Wake): void {
    if (outbox.size === 0) setImmediate(() => void flush());
    outbox.set(name, wake);
  }

  async function flush(): Promise<void> {
    const wakes = [...outbox.values()];
    outbox = new Map();
    const sent = wakes.filter(isForNow).map((wake) => ({ wake, out: soon.get(nameOf(wake)) }));
    await send(wakes);
    setTimeout(() => sent.forEach(release), holdMs).unref();
  }

  function release({ wake, out }: { wake: Wake; out: Out | undefined }): void {
    if (out === undefined || soon.get(nameOf(wake)) !== out) return;
    soon.delete(nameOf(wake));
    if (out.isAskedForAgain) postSoon(wake);
  }

  function post(woken: Woken, at?: Date): void {
    if (at !== undefined && at.getTime() > now()) postLater({ ...woken, at }, at.getTime());
    else if (!tellRunning(woken)) postSoon({ ...woken, at: null });
  }

  return {
    wakeChannel: (id, at) => post({ kind: "channel", id }, at),
    wakeCallbacks: (id) => postSoon({ kind: "callbacks", id, at: null }),
    wakeEndpoint: (id, at) => post({ kind: "endpoint", id }, at),
    arrived(woken) {
      soon.delete(nameOf(woken));
      later.arrived(nameOf(woken));
    },
    resend: () => later.waiting().forEach((wake) => enqueue(`later:${nameOf(wake)}`, wake)),
  };
}

/** By name: those for later that are out, and when they are due. One for now doesn't call one for later back. */
function createLater(now: () => number) {
  const outOf = new Map<string, { readonly wake: Wake; readonly due: number }>();
  const dueOf = (name: string) => outOf.get(name)?.due;
  return {
    /** False when one is out that comes no later, and wasn't lost. */
    put(name: string, wake: Wake, due: number): boolean {
      const out = dueOf(name);
      if (out !== undefined && out > now() - LOST_AFTER_MS && out <= due) return false;
      outOf.set(name, { wake, due });
      return true;
    },
    arrived(name: string): void {
      if ((dueOf(name) ?? Number.POSITIVE_INFINITY) <= now()) outOf.delete(name);
    },
    waiting: () => [...outOf.values()].filter(({ due }) => due > now()).map(({ wake }) => wake),
  };
}

const isForNow = ({ at }: Wake) => at === null;

const nameOf = ({ kind, id }: Woken) => `${kind}:${id}`;
