import { readFileSync, writeFileSync } from "node:fs";
import { groupProcesses, listProcesses } from "./processes";

/** The peak memory of processes between two samples, in bytes. */
export interface MemoryUse {
  /** Resident memory of the largest measured process. */
  readonly nodePeakBytes: number;
  /** PostgreSQL's largest process, including the shared buffers. */
  readonly postgresProcessPeakBytes: number;
  /** All of PostgreSQL's processes together, shared buffers counted once. */
  readonly postgresTotalPeakBytes: number;
}

const SAMPLE_MS = 2_000;

/**
 * Starts watching; the returned function gives the peak since then. Null if the machine has no `/proc`. The kernel
 * keeps each process's peak. PostgreSQL's sum is sampled every two seconds.
 */
export function watchMemory(serverPids: ReadonlySet<number>): () => MemoryUse | null {
  const groups = () => groupProcesses(listProcesses() ?? [], process.pid, serverPids);
  for (const pid of groups().keys()) forgetPeak(pid);
  /** Includes processes that have ended. */
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

/** If the kernel doesn't allow a reset, the peak is the one since the process's start: never too small. */
function forgetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, "5");
  } catch {
    return;
  }
}

/** 0 if it can't be read because the process has ended. */
function bytesOf(path: string, field: string): number {
  try {
    const kilobytes = new RegExp(`^${field}:\\s+([0-9]+) kB`, "m").exec(readFileSync(path, "utf8"))?.[1];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}
