/** Lets only so much work of a kind run at once; what waits runs in the order in which it asked. */
export interface Turns {
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns(max: number): Turns {
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
