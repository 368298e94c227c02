/** Runs work in lanes: one at a time in a lane, in order. Different lanes run in parallel. */
export interface Lanes {
  /** `work` must not reject. */
  enqueue(name: string, work: () => Promise<void>): void;
  /** Returns whether work of the lane runs or waits. */
  isBusy(name: string): boolean;
  /** Starts no more work, and resolves when the current work has ended. Waiting work is dropped. */
  stop(): Promise<void>;
}

interface Lane {
  readonly waiting: (() => Promise<void>)[];
  running: Promise<void>;
}

export function createLanes(): Lanes {
  const lanes = new Map<string, Lane>();

  async function run(name: string, { waiting }: Lane): Promise<void> {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await work();
    lanes.delete(name);
  }

  return {
    enqueue(name, work) {
      const lane = lanes.get(name);
      if (lane) return void lane.waiting.push(work);
      const opened: Lane = { waiting: [work], running: Promise.resolve() };
      // Before the work begins, which may enqueue more.
      lanes.set(name, opened);
      opened.running = run(name, opened);
    },
    isBusy: (name) => lanes.has(name),
    async stop() {
      const current = [...lanes.values()];
      for (const lane of current) lane.waiting.length = 0;
      await Promise.all(current.map(({ running }) => running));
    },
  };
}
