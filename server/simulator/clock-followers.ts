import type { Clock } from "./clock";

/** Time for a program to report that it has moved its clock. It may wait for its calls in progress. */
const answerMaxMs = 40_000;
/** Time until a request of a follower is answered although nothing has happened. */
const holdMs = 25_000;

/** A follower's request: what it knows, and its answer to the latest move that it was asked for. */
export interface FollowerReport {
  /** Chosen by the follower, one for each of its processes. */
  readonly id: string;
  readonly name: string;
  /** By how much the follower's clock is ahead of the machine's. */
  readonly ahead_ms: number;
  /** Null if it wasn't asked since its last request. `refusal`: why its clock can't be moved there. */
  readonly answer: { readonly ahead_ms: number; readonly refusal: string | null } | null;
}

/** `pending_ahead_ms`: where a follower is asked to move its clock before the simulator's moves. */
export interface ClockState {
  readonly ahead_ms: number;
  readonly pending_ahead_ms: number | null;
}

interface Follower {
  readonly name: string;
  /** Answers its held request. Null while it acts on the last one. */
  release: (() => void) | null;
  /** The latest state that it was sent, as text. */
  known: string;
  /** Ends the wait for its answer to a move. */
  answered: (refusal: string | null) => void;
}

/** What a move came to. */
export type MoveResult =
  | { readonly kind: "moved" }
  | { readonly kind: "busy" }
  | { readonly kind: "refused" | "silent"; readonly follower: string; readonly reason: string };

/**
 * Programs whose clocks move together with the simulator's. Each keeps one request open, which is answered when a move
 * is asked for and when it has happened. All of them move before the simulator does; if one refuses, it stays.
 */
export class ClockFollowers {
  readonly #clock: Clock;
  readonly #onMoved: () => void;
  readonly #followers = new Map<string, Follower>();
  #pendingMs: number | null = null;
  #isStopped = false;

  /** `onMoved` is called after the simulator's clock has moved. */
  constructor(clock: Clock, onMoved: () => void) {
    this.#clock = clock;
    this.#onMoved = onMoved;
  }

  get names(): string[] {
    return [...this.#followers.values()].map(({ name }) => name);
  }

  /**
   * Takes a follower's request. Resolves with the state when it differs from what the follower was sent last, or after
   * 25 seconds. `left` aborts when the follower has disconnected.
   */
  async follow(report: FollowerReport, left: AbortSignal): Promise<ClockState> {
    const follower = this.#followers.get(report.id) ?? this.#add(report);
    follower.release?.();
    if (report.answer !== null && report.answer.ahead_ms === this.#pendingMs)
      follower.answered(report.answer.refusal);
    // Its clock can be ahead: the simulator's directory was removed, or another follower has refused a move.
    else if (this.#pendingMs === null) await this.#moveOwn(report.ahead_ms);
    if (follower.known === JSON.stringify(this.#state()) && !this.#isStopped)
      await this.#hold(report.id, follower, left);
    const state = this.#state();
    follower.known = JSON.stringify(state);
    return state;
  }

  /** Moves the clocks of all followers, and then the simulator's. */
  async move(aheadMs: number): Promise<MoveResult> {
    if (this.#pendingMs !== null) return { kind: "busy" };
    this.#pendingMs = aheadMs;
    try {
      const answers = [...this.#followers].map(([id, follower]) => this.#ask(id, follower));
      this.#releaseAll();
      const results = await Promise.all(answers);
      const failed = results.find(({ kind }) => kind !== "moved");
      if (failed !== undefined) return failed;
      await this.#moveOwn(aheadMs);
      return { kind: "moved" };
    } finally {
      this.#pendingMs = null;
      this.#releaseAll();
    }
  }

  /** Answers all held requests. */
  stop(): void {
    this.#isStopped = true;
    this.#releaseAll();
  }

  async #moveOwn(aheadMs: number): Promise<void> {
    if (aheadMs <= this.#clock.aheadMs) return;
    await this.#clock.moveTo(aheadMs);
    this.#onMoved();
  }

  #state(): ClockState {
    return { ahead_ms: this.#clock.aheadMs, pending_ahead_ms: this.#pendingMs };
  }

  #add({ id, name }: FollowerReport): Follower {
    const follower: Follower = { name, release: null, known: "", answered: () => undefined };
    this.#followers.set(id, follower);
    return follower;
  }

  #hold(id: string, follower: Follower, left: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        left.removeEventListener("abort", leave);
        follower.release = null;
        resolve();
      };
      const leave = () => {
        this.#followers.delete(id);
        follower.answered(null);
        end();
      };
      const timer = setTimeout(end, holdMs);
      left.addEventListener("abort", leave);
      follower.release = end;
    });
  }

  #ask(id: string, follower: Follower): Promise<MoveResult> {
    return new Promise((resolve) => {
      const end = (result: MoveResult) => {
        clearTimeout(timer);
        follower.answered = () => undefined;
        resolve(result);
      };
      const timer = setTimeout(() => {
        this.#followers.delete(id);
        end({ kind: "silent", follower: follower.name, reason: "it doesn't answer" });
      }, answerMaxMs);
      follower.answered = (refusal) =>
        end(
          refusal === null
            ? { kind: "moved" }
            : { kind: "refused", follower: follower.name, reason: refusal },
        );
    });
  }

  #releaseAll(): void {
    for (const { release } of this.#followers.values()) release?.();
  }
}
