/**
 * The port that verbs call after their commit. Rows are the truth and these are only wake-ups: a lost one is found
 * by the sweep, so nothing here waits, throws or is retried (design section 1).
 */
export interface Jobs {
  /** Messages of the channel are due now, or will be at `at`. */
  wakeChannel(channelId: string, at?: Date): void;
  /** Raw callbacks that came to the channel wait to be processed. */
  wakeCallbacks(channelId: string): void;
}

export type Wake =
  | { readonly kind: "channel"; readonly channelId: string; readonly at: Date | null }
  | { readonly kind: "callbacks"; readonly channelId: string };

export interface CoalescedJobs extends Jobs {
  /** A wake-up has arrived: the next one of its kind is sent again. */
  arrived(wake: Pick<Wake, "kind" | "channelId">): void;
}

/** A wake-up that should have arrived so long ago was lost: it holds the next one up no more. */
const LOST_AFTER_MS = 2_000;

/**
 * Sends few wake-ups for many: at most one waits per channel, and one for its callbacks. The earliest wins: an immediate
 * one is never swallowed by one for later. Those of one turn of the event loop go out together.
 */
export function coalesceJobs(options: {
  /** Reaches a run of this process directly; true when there is one. */
  tellRunning: (channelId: string) => boolean;
  /** Never rejects: a wake-up that can't be sent is logged, and forgotten. */
  send: (wakes: readonly Wake[]) => Promise<void>;
  now?: () => number;
}): CoalescedJobs {
  const now = options.now ?? Date.now;
  /** By name: when those that are out are due. One for now doesn't call one for later back. */
  const soon = new Map<string, number>();
  const later = new Map<string, number>();
  let outbox = new Map<string, Wake>();

  function post(name: string, due: number, wake: Wake): void {
    const out = due <= now() ? soon : later;
    const earliest = Math.min(live(soon.get(name)), live(later.get(name)));
    if (earliest <= due) return;
    out.set(name, due);
    if (outbox.size === 0) setImmediate(flush);
    outbox.set(`${out === soon ? "soon" : "later"}:${name}`, wake);
  }

  /** Never for none, and for one that should have arrived long ago. */
  function live(due: number | undefined): number {
    return due === undefined || due <= now() - LOST_AFTER_MS ? Number.POSITIVE_INFINITY : due;
  }

  function flush(): void {
    const wakes = [...outbox.values()];
    outbox = new Map();
    void options.send(wakes);
  }

  return {
    wakeChannel(channelId, at) {
      const isNow = at === undefined || at.getTime() <= now();
      if (isNow && options.tellRunning(channelId)) return;
      const wake = { kind: "channel", channelId, at: isNow ? null : at } as const;
      post(nameOf(wake), isNow ? now() : at.getTime(), wake);
    },
    wakeCallbacks(channelId) {
      const wake = { kind: "callbacks", channelId } as const;
      post(nameOf(wake), now(), wake);
    },
    arrived(wake) {
      const name = nameOf(wake);
      soon.delete(name);
      if ((later.get(name) ?? Number.POSITIVE_INFINITY) <= now()) later.delete(name);
    },
  };
}

const nameOf = ({ kind, channelId }: Pick<Wake, "kind" | "channelId">) => `${kind}:${channelId}`;
