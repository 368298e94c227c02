/**
 * The port that verbs call after their commit. The database rows are authoritative and job signals only start work. The
 * sweep finds work whose signal was lost, so nothing here waits, throws or is retried.
 */
export interface Jobs {
  /** Messages of the channel are due now, or at `at`. */
  notifyChannel(channelId: string, at?: Date): void;
  /** Stored callbacks of the channel are waiting to be processed. */
  notifyCallbacks(channelId: string): void;
  /** Marks as read of the channel are due now, or at `at`. */
  notifyMarks(channelId: string, at?: Date): void;
  /** Deliveries to the webhook endpoint are due now, or at `at`. */
  notifyEndpoint(endpointId: string, at?: Date): void;
  /** A file that a customer sent is due to be fetched. */
  notifyFile(fileId: string): void;
  /**
   * Takes the channel's turn to process callbacks. Null if this process doesn't run jobs itself, or is processing some
   * of the channel's. The caller must end the turn.
   */
  takeCallbackTurn(channelId: string): Turn | null;
}

/** The right to do a job's work now, alone in this process. */
export interface Turn {
  /** Does the work, and ends the turn. A failure is logged. */
  run(work: () => Promise<void>): void;
}

/** For a process that sends no job signals. Processes that run jobs poll for due rows. */
export const NO_JOBS: Jobs = {
  notifyChannel: () => undefined,
  notifyCallbacks: () => undefined,
  notifyMarks: () => undefined,
  notifyEndpoint: () => undefined,
  notifyFile: () => undefined,
  takeCallbackTurn: () => null,
};

/** The target of a job signal: a channel, its callbacks, its marks as read, a webhook endpoint, or a customer's file. */
export interface JobTarget {
  readonly kind: "channel" | "callbacks" | "marks" | "endpoint" | "file";
  /** Id of the channel, of the endpoint or of the file. */
  readonly id: string;
}

export interface JobSignal extends JobTarget {
  /** Null means now. */
  readonly at: Date | null;
}

export interface CoalescedJobs extends Jobs {
  /** Must be called when a signal has arrived, so that the next one for its target is sent again. */
  received(target: JobTarget): void;
  /** Must be called when the receiver has dropped its delayed signals. Those that aren't due yet are sent again. */
  resend(): void;
}

/** A delayed signal that is overdue by this long counts as lost, and no longer holds back the next one. */
const LOST_AFTER_MS = 2_000;
/**
 * After an immediate signal was sent, the next one is held back this long, unless the first arrives earlier. If another
 * process receives the first one, this process doesn't see it. Work that was added in the meantime is signalled
 * afterwards, because it may have been too late for that run.
 */
const HOLD_MS = 250;

/** An immediate signal that was sent and hasn't arrived yet. */
interface Out {
  isAskedForAgain: boolean;
}

export interface CoalesceOptions {
  /** Notifies a running drain in this process directly. Returns true if there is one. */
  readonly notifyRunning: (target: JobTarget) => boolean;
  /** Never rejects: a signal that can't be sent is logged and dropped. */
  readonly send: (signals: readonly JobSignal[]) => Promise<void>;
  readonly now?: () => number;
  readonly holdMs?: number;
}

/**
 * Coalesces job signals: at most one is pending per channel, one for its callbacks, one for its marks as read, one per
 * endpoint, and one per file. The earliest wins: an immediate signal is never replaced by a delayed one. Signals of the same turn of the event loop are sent
 * together.
 */
export function coalesceJobs(options: CoalesceOptions): CoalescedJobs {
  const { notifyRunning, send, now = Date.now, holdMs = HOLD_MS } = options;
  const soon = new Map<string, Out>();
  const later = createLater(now);
  let outbox = new Map<string, JobSignal>();

  function postSoon(signal: JobSignal): void {
    const name = nameOf(signal);
    const out = soon.get(name);
    if (out) return void (out.isAskedForAgain = true);
    soon.set(name, { isAskedForAgain: false });
    enqueue(`soon:${name}`, signal);
  }

  function postLater(signal: JobSignal, due: number): void {
    const name = nameOf(signal);
    if (!soon.has(name) && later.put(name, signal, due)) enqueue(`later:${name}`, signal);
  }

  function enqueue(name: string, signal: JobSignal): void {
    if (outbox.size === 0) setImmediate(() => void flush());
    outbox.set(name, signal);
  }

  async function flush(): Promise<void> {
    const signals = [...outbox.values()];
    outbox = new Map();
    const sent = signals.filter(isForNow).map((signal) => ({ signal, out: soon.get(nameOf(signal)) }));
    await send(signals);
    setTimeout(() => sent.forEach(release), holdMs).unref();
  }

  function release({ signal, out }: { signal: JobSignal; out: Out | undefined }): void {
    if (out === undefined || soon.get(nameOf(signal)) !== out) return;
    soon.delete(nameOf(signal));
    if (out.isAskedForAgain) postSoon(signal);
  }

  function post(target: JobTarget, at?: Date): void {
    if (at !== undefined && at.getTime() > now()) postLater({ ...target, at }, at.getTime());
    else if (!notifyRunning(target)) postSoon({ ...target, at: null });
  }

  return {
    notifyChannel: (id, at) => post({ kind: "channel", id }, at),
    notifyCallbacks: (id) => postSoon({ kind: "callbacks", id, at: null }),
    notifyMarks: (id, at) => post({ kind: "marks", id }, at),
    notifyEndpoint: (id, at) => post({ kind: "endpoint", id }, at),
    notifyFile: (id) => postSoon({ kind: "file", id, at: null }),
    takeCallbackTurn: NO_JOBS.takeCallbackTurn,
    received(target) {
      soon.delete(nameOf(target));
      later.received(nameOf(target));
    },
    resend: () => later.waiting().forEach((signal) => enqueue(`later:${nameOf(signal)}`, signal)),
  };
}

/** Tracks delayed signals that were sent, by name and due time. An immediate signal doesn't cancel them. */
function createLater(now: () => number) {
  const outOf = new Map<string, { readonly signal: JobSignal; readonly due: number }>();
  const dueOf = (name: string) => outOf.get(name)?.due;
  return {
    /** Returns false if a signal that is due no later was already sent and isn't lost. */
    put(name: string, signal: JobSignal, due: number): boolean {
      const out = dueOf(name);
      if (out !== undefined && out > now() - LOST_AFTER_MS && out <= due) return false;
      outOf.set(name, { signal, due });
      return true;
    },
    received(name: string): void {
      if ((dueOf(name) ?? Number.POSITIVE_INFINITY) <= now()) outOf.delete(name);
    },
    waiting: () => [...outOf.values()].filter(({ due }) => due > now()).map(({ signal }) => signal),
  };
}

const isForNow = ({ at }: JobSignal) => at === null;

const nameOf = ({ kind, id }: JobTarget) => `${kind}:${id}`;
