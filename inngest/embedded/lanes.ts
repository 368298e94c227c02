/** Runs work in lanes. In one lane, at most `max` run concurrently, in order. Different lanes run in parallel. */
export interface Lanes {
  /** `work` must not reject. */
  enqueue(name: string, max: number, work: () => Promise<void>): void;
  /** Starts no more work, and resolves when the current work has ended. Waiting work is dropped. */
  stop(): Promise<void>;
}

interface Lane {
  readonly waiting: (() => Promise<void>)[];
  running: number;
}

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();

  function advance(name: string, max: number, lane: Lane): void {
    while (lane.running < max) {
      const work = lane.waiting.shift();
      if (work === undefined) break;
      lane.running += 1;
      const run = work().finally(() => {
        running.delete(run);
        lane.running -= 1;
        advance(name, max, lane);
      });
      running.add(run);
    }
    if (lane.running === 0) lanes.delete(name);
  }

  return {
    enqueue(name, max, work) {
      const lane = lanes.get(name) ?? { waiting: [], running: 0 };
      lanes.set(name, lane);
      lane.waiting.push(work);
      advance(name, max, lane);
    },
    async stop() {
      for (const lane of lanes.values()) lane.waiting.length = 0;
      await Promise.allSettled(running);
    },
  };
}
