import { readdirSync, readFileSync } from "node:fs";

/** A process at one moment. */
export interface ProcessSnapshot {
  readonly pid: number;
  readonly parentPid: number;
  /** Name of the executable; the kernel truncates it to 15 characters. */
  readonly name: string;
  /** CPU time so far in milliseconds, including children that ended and were waited for. */
  readonly cpuMs: number;
  /** A thread of the kernel, which works for any process. */
  readonly isKernel: boolean;
}

/** The role of a process: `node` is the measured system, `load` is the bench with its load generators. */
export type ProcessGroup = "node" | "postgres" | "load";

/** Linux reports times in ticks of this length, whatever the kernel's own clock. */
const TICK_MS = 10;
/** PF_KTHREAD. */
const KERNEL_FLAG = 0x20_0000;

/** Lists all processes of the machine; null if it has no `/proc`. */
export function listProcesses(): readonly ProcessSnapshot[] | null {
  const stat = (pid: string) => textOf(`/proc/${pid}/stat`);
  if (stat("self") === null) return null;
  return readdirSync("/proc")
    .filter((entry) => /^[0-9]+$/.test(entry))
    .flatMap((pid) => parseStat(stat(pid) ?? ""));
}

/** Parses one line of `/proc/<pid>/stat` (proc_pid_stat(5)); the name in it may contain spaces and parentheses. */
export function parseStat(line: string): ProcessSnapshot[] {
  const parts = /^([0-9]+) \((.*)\) (.*)$/s.exec(line);
  if (parts === null) return [];
  const [, pid, name = "", rest = ""] = parts;
  const fields = rest.split(" ").map(Number);
  const [parentPid = 0] = fields.slice(1, 2);
  const [flags = 0] = fields.slice(6, 7);
  const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0);
  const isKernel = (flags & KERNEL_FLAG) !== 0;
  return [{ pid: Number(pid), parentPid, name, cpuMs: ticks * TICK_MS, isKernel }];
}

/**
 * Groups the processes below and including `rootPid` by role: PostgreSQL's by their name, those of `serverPids` and
 * their children, and the rest.
 */
export function groupProcesses(
  processes: readonly ProcessSnapshot[],
  rootPid: number,
  serverPids: ReadonlySet<number>,
): ReadonlyMap<number, ProcessGroup> {
  const byPid = new Map(processes.map((one) => [one.pid, one]));
  function groupOf(pid: number): ProcessGroup | null {
    if (serverPids.has(pid)) return "node";
    if (pid === rootPid) return "load";
    const parentPid = byPid.get(pid)?.parentPid ?? 0;
    return parentPid === 0 ? null : groupOf(parentPid);
  }
  return new Map(
    processes.flatMap(({ pid, name }) => {
      const group = groupOf(pid);
      return group === null ? [] : [[pid, name === "postgres" ? "postgres" : group] as const];
    }),
  );
}

/** Milliseconds that a hypervisor gave to other machines, over all cores (proc_stat(5)). 0 if nothing tells. */
export function readStolenMs(): number {
  const ticks = /^cpu +(?:[0-9]+ +){7}([0-9]+)/m.exec(textOf("/proc/stat") ?? "")?.[1];
  return Number(ticks ?? 0) * TICK_MS;
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It ended after the listing, or the machine has no such file.
    return null;
  }
}
