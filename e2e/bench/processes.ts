import { readdirSync, readFileSync } from "node:fs";

/** A process at one moment. */
export interface ProcessSnapshot {
  readonly pid: number;
  readonly parentPid: number;
  /** Of the executable, cut at 15 characters by the kernel. */
  readonly name: string;
  /** CPU time so far in milliseconds, with that of children that ended and were waited for. */
  readonly cpuMs: number;
}

/** Whose work a process does: `node` is what is measured, `load` is the bench with what it makes the load with. */
export type ProcessGroup = "node" | "postgres" | "load";

/** Linux tells times in ticks of this length, whatever the kernel's own clock. */
const TICK_MS = 10;

/** All processes of the machine; null where it has no `/proc`. */
export function listProcesses(): readonly ProcessSnapshot[] | null {
  const stat = (pid: string) => textOf(`/proc/${pid}/stat`);
  if (stat("self") === null) return null;
  return readdirSync("/proc")
    .filter((entry) => /^[0-9]+$/.test(entry))
    .flatMap((pid) => parseStat(stat(pid) ?? ""));
}

/** One line of `/proc/<pid>/stat` (proc_pid_stat(5)); the name in it may hold spaces and parentheses. */
export function parseStat(line: string): ProcessSnapshot[] {
  const parts = /^([0-9]+) \((.*)\) (.*)$/s.exec(line);
  if (parts === null) return [];
  const [, pid, name = "", rest = ""] = parts;
  const fields = rest.split(" ").map(Number);
  const [parentPid = 0] = fields.slice(1, 2);
  const ticks = fields.slice(11, 15).reduce((sum, part) => sum + part, 0);
  return [{ pid: Number(pid), parentPid, name, cpuMs: ticks * TICK_MS }];
}

/**
 * The processes below `rootPid`, itself included, by whose work they do: PostgreSQL's by their name, those of
 * `serverPids` and what these started, and the rest.
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

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It ended between the listing and this, or there is no such thing here.
    return null;
  }
}
