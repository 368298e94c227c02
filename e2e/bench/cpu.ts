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
    const busyPart = partOf(busyMs, busyMs + after.idleMs - before.idleMs);
    if (before.known === null || after.known === null)
      return { busyMs, busyPart, split: null, strangersPart: null };
    const split = difference(after.known.split, before.known.split);
    const kernelMs = kernelMsBetween(before.known.kernelMs, after.known.kernelMs);
    return { busyMs, busyPart, split, strangersPart: strangersPartOf(before, after, split, kernelMs) };
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

interface KnownUse {
  readonly split: CpuSplit;
  /** By thread of the kernel. */
  readonly kernelMs: ReadonlyMap<number, number>;
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

/** An ended process adds its time to its parent's, so that sums of processes never shrink. */
function knownUseOf({ processes, rootPid }: CpuSource, serverPids: ReadonlySet<number>): KnownUse | null {
  const looks = processes();
  if (looks === null) return null;
  const groups = groupProcesses(looks, rootPid, serverPids);
  const split = { node: 0, postgres: 0, load: 0 };
  for (const { pid, cpuMs } of looks) {
    const group = groups.get(pid);
    if (group !== undefined) split[group] += cpuMs;
  }
  const kernelMs = new Map(looks.flatMap(({ pid, cpuMs, isKernel }) => (isKernel ? [[pid, cpuMs]] : [])));
  return { split, kernelMs };
}

function difference(after: CpuSplit, before: CpuSplit): CpuSplit {
  return {
    node: after.node - before.node,
    postgres: after.postgres - before.postgres,
    load: after.load - before.load,
  };
}

/** The time of a thread that has ended is gone. */
function kernelMsBetween(before: KnownUse["kernelMs"], after: KnownUse["kernelMs"]): number {
  return [...after].reduce((sum, [pid, ms]) => sum + Math.max(0, ms - (before.get(pid) ?? 0)), 0);
}

/**
 * Returns the share of CPU time that processes other than the bench's and the kernel's used. It is a difference, because
 * a list of these processes lacks those that started and ended in between.
 */
function strangersPartOf(before: CpuSample, after: CpuSample, split: CpuSplit, kernelMs: number): number {
  const spentMs = after.spentMs - before.spentMs;
  const stolenMs = after.stolenMs - before.stolenMs;
  const strangersMs = Math.max(0, spentMs - split.node - split.postgres - split.load - kernelMs);
  const allMs = after.busyMs + after.idleMs - before.busyMs - before.idleMs + stolenMs;
  return partOf(strangersMs + stolenMs, allMs);
}

function partOf(ms: number, allMs: number): number {
  return allMs > 0 ? ms / allMs : 0;
}

/** Returns the last one, with the largest part of strangers of them all: what they falsify, falsifies the whole. */
export function worstOf(uses: readonly CpuUse[]): CpuUse | undefined {
  const last = uses.at(-1);
  const parts = uses.map(({ strangersPart }) => strangersPart).filter((part) => part !== null);
  return last && { ...last, strangersPart: parts.length > 0 ? Math.max(...parts) : null };
}
