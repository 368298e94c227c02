import type { LoadResult } from "./load";
import type { Goal } from "./report";
import type { RunningWorker, StartWorker } from "./start-worker";
import type { BenchWaypost } from "./waypost";

/** One line of the result. */
export interface Case {
  readonly title: string;
  /** Sent at a given pace: only its times say anything. */
  readonly isPaced?: boolean;
  /** Measured in the first round only, over a time of its own. */
  readonly isOnce?: boolean;
  /** Only when it is named. */
  readonly isExtra?: boolean;
  readonly goal?: Goal;
  /** Starts what it loads; called once. */
  open(bench: Bench): Promise<OpenCase>;
}

export interface OpenCase {
  /** What the measurement needs, and what is no part of it. */
  prepare?(): Promise<void>;
  measure(seconds: number): Promise<LoadResult>;
  /** Resolves when what the load has left behind is done. */
  settle(): Promise<void>;
}

/** What cases share. Everything is started when it is first asked for, and stopped at the end. */
export interface Bench {
  readonly appRoot: string;
  readonly load: RunningWorker<"load">;
  readonly startWorker: StartWorker;
  waypost(): Promise<BenchWaypost>;
  /** The time and memory of these processes, and of those that they start, are shown as those of what is measured. */
  readonly measuredPids: Set<number>;
  atEnd(stop: () => Promise<void>): void;
}
