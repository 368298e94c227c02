import { cpus } from "node:os";
import { groupProcesses, listProcesses, type ProcessGroup, type ProcessSnapshot } from "./processes";

/** The whole machine's CPU use between two samples, including the load generator and PostgreSQL. */
export interface CpuUse {
  /** Milliseconds of CPU time, over all cores. */
  readonly busyMs: number;
  /** Share of all cores' time that was busy, 0 to 1. */
  readonly busyPart: number;
  /** Milliseconds of CPU time by group of processes; null if the machine doesn't provide it. */
  readonly split: CpuSplit | null;
}

export type CpuSplit = Readonly<Record<ProcessGroup, number>>;

export interface CpuSource {
  /** Times of the cores. */
  readonly cores: typeof cpus;
  readonly processes: () => readonly ProcessSnapshot[] | null;
  /** All its descendants belong to the bench. */
  readonly rootPid: number;
}

const MACHINE: CpuSource = { cores: cpus, processes: listProcesses, rootPid: process.pid };

/**
 * Starts counting; the returned function gives the CPU use since then.
 * @param serverPids the measured processes.
 */
export function watchCpu(serverPids: ReadonlySet<number>, source: CpuSource = MACHINE): () => CpuUse {
  const before = totals(source.cores);
  const splitBefore = splitOf(source, serverPids);
  return () => {
    const after = totals(source.cores);
    const busyMs = after.busyMs - before.busyMs;
    const allMs = busyMs + after.idleMs - before.idleMs;
    const split = difference(splitOf(source, serverPids), splitBefore);
    return { busyMs, busyPart: allMs > 0 ? busyMs / allMs : 0, split };
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

/** An ended process adds its time to its parent's, so that sums never shrink. */
function splitOf({ processes, rootPid }: CpuSource, serverPids: ReadonlySet<number>): CpuSplit | null {
  const looks = processes();
  if (looks === null) return null;
  const groups = groupProcesses(looks, rootPid, serverPids);
  const split = { node: 0, postgres: 0, load: 0 };
  for (const { pid, cpuMs } of looks) {
    const group = groups.get(pid);
    if (group !== undefined) split[group] += cpuMs;
  }
  return split;
}

function difference(after: CpuSplit | null, before: CpuSplit | null): CpuSplit | null {
  if (after === null || before === null) return null;
  return {
    node: after.node - before.node,
    postgres: after.postgres - before.postgres,
    load: after.load - before.load,
  };
}
