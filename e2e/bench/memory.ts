import { readFileSync, writeFileSync } from "node:fs";
import { groupProcesses, listProcesses } from "./processes";

/** The most memory that processes had between two looks, in bytes. */
export interface MemoryUse {
  /** Of the largest measured process: what of it was in memory. */
  readonly nodePeakBytes: number;
  /** Of PostgreSQL's largest process, with the buffers that all of them share. */
  readonly postgresProcessPeakBytes: number;
  /** Of all of PostgreSQL's processes together, shared buffers counted once. */
  readonly postgresTotalPeakBytes: number;
}

const SAMPLE_MS = 2_000;

/**
 * Starts to watch; the function it returns says what the most was since. Null where the machine has no `/proc`.
 * The kernel keeps each process's peak. PostgreSQL's sum is sampled every two seconds.
 */
export function watchMemory(serverPids: ReadonlySet<number>): () => MemoryUse | null {
  const groups = () => groupProcesses(listProcesses() ?? [], process.pid, serverPids);
  for (const pid of groups().keys()) forgetPeak(pid);
  /** Of processes that have ended too. */
  const peaks = { node: 0, postgres: 0, load: 0 };
  let postgresTotalPeakBytes = 0;
  function sample(): void {
    let postgresBytes = 0;
    for (const [pid, group] of groups()) {
      peaks[group] = Math.max(peaks[group], bytesOf(`/proc/${pid}/status`, "VmHWM"));
      if (group === "postgres") postgresBytes += bytesOf(`/proc/${pid}/smaps_rollup`, "Pss");
    }
    postgresTotalPeakBytes = Math.max(postgresTotalPeakBytes, postgresBytes);
  }
  const timer = setInterval(sample, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    sample();
    if (peaks.node === 0) return null;
    return { nodePeakBytes: peaks.node, postgresProcessPeakBytes: peaks.postgres, postgresTotalPeakBytes };
  };
}

/** Where the kernel doesn't let us, the peak is the one since the process's start: never too small. */
function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    return;
  }
}

/** 0 where it can't be read: the process has ended. */
function bytesOf(path: string, field: string): number {
  try {
    const kilobytes = new RegExp(`^${field}:\\s+([0-9]+) kB`, "m").exec(readFileSync(path, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
