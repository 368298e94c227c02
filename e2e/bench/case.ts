import type { LoadResult } from "./load";
import type { Goal } from "./report";
import type { RunningWorker, StartWorker } from "./start-worker";
import type { BenchWaypost } from "./waypost";

/** One line of the result. */
export interface Case {
  readonly title: string;
  /** Sent at a fixed pace: only its times are meaningful. */
  readonly isPaced?: boolean;
  /** Measured in the first round only, with its own duration. */
  readonly isOnce?: boolean;
  /** Runs only if it is named. */
  readonly isExtra?: boolean;
  readonly goal?: Goal;
  /** Starts the system under load; called once. */
  open(bench: Bench): Promise<OpenCase>;
}

export interface OpenCase {
  /** Preparation that isn't measured. */
  prepare?(): Promise<void>;
  measure(seconds: number): Promise<LoadResult>;
  /** Resolves when the work caused by the load is done. */
  settle(): Promise<void>;
}

/** Shared by all cases. Everything is started on first use, and stopped at the end. */
export interface Bench {
  readonly appRoot: string;
  readonly load: RunningWorker<"load">;
  readonly startWorker: StartWorker;
  waypost(): Promise<BenchWaypost>;
  /** CPU time and memory of these processes and their children count as those of the measured system. */
  readonly measuredPids: Set<number>;
  atEnd(stop: () => Promise<void>): void;
}
