/** Limits how many pieces of work run at once; others wait in order of arrival. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createSemaphore(max: number): Semaphore {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      // Whoever ends hands its place on: nobody who asks later can take it.
      if (running < max) running += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next) next();
        else running -= 1;
      }
    },
  };
}
