import { cpus } from "node:os";

/** What the whole machine did between two looks: the load generator and PostgreSQL are in it. */
export interface CpuUse {
  /** Milliseconds of CPU time, over all cores. */
  readonly busyMs: number;
  /** Part of all cores' time that was busy, 0 to 1. */
  readonly busyPart: number;
}

/** Starts to count; the function it returns says what was used since. */
export function watchCpu(read: typeof cpus = cpus): () => CpuUse {
  const before = totals(read);
  return () => {
    const after = totals(read);
    const busyMs = after.busyMs - before.busyMs;
    const allMs = busyMs + after.idleMs - before.idleMs;
    return { busyMs, busyPart: allMs > 0 ? busyMs / allMs : 0 };
  };
}

function totals(read: typeof cpus): { busyMs: number; idleMs: number } {
  let busyMs = 0;
  let idleMs = 0;
  for (const { times } of read()) {
    busyMs += times.user + times.nice + times.sys + times.irq;
    idleMs += times.idle;
  }
  return { busyMs, idleMs };
}
