import { cpus } from "node:os";
import {
  groupProcesses,
  listProcesses,
  type ProcessGroup,
  type ProcessSnapshot,
  readStolenMs,
} from "./processes";

/** The whole machine's CPU use between two samples, including the load generator and PostgreSQL. */
export interface CpuUse {
  /** Milliseconds of CPU time, over all cores. */
  readonly busyMs: number;
  /** Share of all cores' time that was busy, 0 to 1. */
  readonly busyPart: number;
  /** Milliseconds of CPU time by group of processes; null if the machine doesn't provide it. */
  readonly split: CpuSplit | null;
  /**
   * Share of all cores' time that went to processes that don't belong to the bench, including those that began and ended
   * in between, and to other virtual machines. Null if the machine doesn't provide it.
   */
  readonly strangersPart: number | null;
}

export type CpuSplit = Readonly<Record<ProcessGroup, number>>;

export interface CpuSource {
  /** Times of the cores. */
  readonly cores: typeof cpus;
  readonly processes: () => readonly ProcessSnapshot[] | null;
  /** Milliseconds that a hypervisor gave to other machines. */
  readonly stolenMs: () => number;
  /** All its descendants belong to the bench. */
  readonly rootPid: number;
}

const MACHINE: CpuSource = {
  cores: cpus,
  processes: listProcesses,
  stolenMs: readStolenMs,
  rootPid: process.pid,
};

/**
 * Starts counting; the returned function gives the CPU use since then.
 * @param serverPids the measured processes.
 */
export function watchCpu(serverPids: ReadonlySet<number>, source: CpuSource = MACHINE): () => CpuUse {
  const before = sampleOf(source, serverPids);
  return () => {
    const after = sampleOf(source, serverPids);
    const busyMs = after.busyMs - before.busyMs;
    const allMs = busyMs + after.idleMs - before.idleMs;
    const known = difference(after.known, before.known);
    const stolenMs = after.stolenMs - before.stolenMs;
    const spentMs = after.spentMs - before.spentMs;
    return {
      busyMs,
      busyPart: partOf(busyMs, allMs),
      split: known && { node: known.node, postgres: known.postgres, load: known.load },
      strangersPart: known && partOf(strangersMs(spentMs, known) + stolenMs, allMs + stolenMs),
    };
  };
}

/** Milliseconds so far, over all cores. */
interface CpuSample {
  readonly busyMs: number;
  /** The part of it that processes spent, and the kernel for them. */
  readonly spentMs: number;
  readonly idleMs: number;
  readonly stolenMs: number;
  readonly known: KnownUse | null;
}

interface KnownUse extends CpuSplit {
  readonly kernel: number;
}

function sampleOf(source: CpuSource, serverPids: ReadonlySet<number>): CpuSample {
  const known = knownUseOf(source, serverPids);
  let spentMs = 0;
  let interruptMs = 0;
  let idleMs = 0;
  for (const { times } of source.cores()) {
    spentMs += times.user + times.nice + times.sys;
    interruptMs += times.irq;
    idleMs += times.idle;
  }
  return { busyMs: spentMs + interruptMs, spentMs, idleMs, stolenMs: source.stolenMs(), known };
}

/** An ended process adds its time to its parent's, so that sums never shrink. */
function knownUseOf({ processes, rootPid }: CpuSource, serverPids: ReadonlySet<number>): KnownUse | null {
  const looks = processes();
  if (looks === null) return null;
  const groups = groupProcesses(looks, rootPid, serverPids);
  const known = { node: 0, postgres: 0, load: 0, kernel: 0 };
  for (const { pid, cpuMs, isKernel } of looks) {
    const group = isKernel ? "kernel" : groups.get(pid);
    if (group !== undefined) known[group] += cpuMs;
  }
  return known;
}

function difference(after: KnownUse | null, before: KnownUse | null): KnownUse | null {
  if (after === null || before === null) return null;
  return {
    node: after.node - before.node,
    postgres: after.postgres - before.postgres,
    load: after.load - before.load,
    kernel: after.kernel - before.kernel,
  };
}

/** What the cores spent and nobody known did: a list of strangers would lack those that began and ended in between. */
function strangersMs(spentMs: number, { node, postgres, load, kernel }: KnownUse): number {
  return Math.max(0, spentMs - node - postgres - load - kernel);
}

function partOf(ms: number, allMs: number): number {
  return allMs > 0 ? ms / allMs : 0;
}
