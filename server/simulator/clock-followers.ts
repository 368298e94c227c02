import type { Clock } from "./clock";

/** Time for a program to answer, or to move its clock. It may wait for its calls in progress. */
const answerMaxMs = 40_000;
/** Time until a request of a follower is answered although nothing has happened. */
const holdMs = 25_000;

/** A follower's request: what it knows, and its answer to the latest move that it was asked about. */
export interface FollowerReport {
  /** Chosen by the follower, one for each of its processes. */
  readonly id: string;
  readonly name: string;
  /** By how much the follower's clock is ahead of the machine's. */
  readonly ahead_ms: number;
  /** Null if it wasn't asked since its last request. `refusal`: why its clock can't be moved there. */
  readonly answer: { readonly to_ms: number; readonly refusal: string | null } | null;
}

/** A move: followers are asked whether their clocks can move; if all can, they move, and then the simulator does. */
interface Move {
  readonly to_ms: number;
  readonly step: "ask" | "go";
}

export interface ClockState {
  readonly ahead_ms: number;
  readonly move: Move | null;
}

interface Follower {
  readonly name: string;
  aheadMs: number;
  /** Answers its held request. Null while it acts on the last response. */
  release: (() => void) | null;
  /** When it got the last response, by the monotonic clock. */
  actsSinceMs: number;
  /** The latest state that it was sent, as text. */
  known: string;
  hasAnswered: boolean;
  /** Ends the wait for its answer. */
  answered: (refusal: string | null) => void;
  /** Ends the wait for its clock. */
  arrived: () => void;
}

/** The result of a move. With `late`, the clock has moved, and that of one follower hasn't yet. */
export type MoveResult =
  | { readonly kind: "moved" }
  | { readonly kind: "busy" }
  | { readonly kind: "refused" | "silent" | "late"; readonly follower: string; readonly reason: string };

/** Programs whose clocks move together with the simulator's. Each keeps one request open. */
export class ClockFollowers {
  readonly #clock: Clock;
  readonly #onMoved: () => void;
  readonly #followers = new Map<string, Follower>();
  #move: Move | null = null;
  #isStopped = false;

  /** `onMoved` is called after the simulator's clock has moved. */
  constructor(clock: Clock, onMoved: () => void) {
    this.#clock = clock;
    this.#onMoved = onMoved;
  }

  get names(): string[] {
    return this.#present().map(({ name }) => name);
  }

  /** The latest time of the simulator and of all followers. */
  get aheadMs(): number {
    return Math.max(this.#clock.aheadMs, ...this.#present().map(({ aheadMs }) => aheadMs));
  }

  /**
   * Takes a follower's request. Resolves with the state as soon as there is something for it to do, or after 25 seconds.
   * `left` aborts when the follower has disconnected.
   */
  async follow(report: FollowerReport, left: AbortSignal): Promise<ClockState> {
    const follower = this.#followers.get(report.id) ?? this.#add(report);
    follower.release?.();
    follower.aheadMs = report.ahead_ms;
    await this.#take(report, follower);
    if (!this.#hasWork(follower) && !this.#isStopped) await this.#hold(report.id, follower, left);
    const state = this.#state();
    follower.known = JSON.stringify(state);
    follower.actsSinceMs = performance.now();
    return state;
  }

  /** Moves the clocks of all followers, and the simulator's. */
  async move(toMs: number): Promise<MoveResult> {
    if (this.#move !== null) return { kind: "busy" };
    const asked = this.#present();
    try {
      for (const follower of asked) follower.hasAnswered = false;
      this.#begin({ to_ms: toMs, step: "ask" });
      const refused = (await Promise.all(asked.map((follower) => ask(follower)))).find(isFailure);
      if (refused !== undefined) return refused;
      this.#begin({ to_ms: toMs, step: "go" });
      const late = (await Promise.all(asked.map((follower) => arrival(follower, toMs)))).find(isFailure);
      await this.#moveOwn(toMs);
      return late ?? { kind: "moved" };
    } finally {
      this.#move = null;
      this.#releaseAll();
    }
  }

  /** Answers all held requests. */
  stop(): void {
    this.#isStopped = true;
    this.#releaseAll();
  }

  async #take({ answer, ahead_ms }: FollowerReport, follower: Follower): Promise<void> {
    // Its clock can be ahead: the simulator's directory was removed, or a move has ended half way.
    if (this.#move === null) return this.#moveOwn(ahead_ms);
    if (this.#move.step === "go" && ahead_ms >= this.#move.to_ms) follower.arrived();
    if (this.#move.step !== "ask" || answer?.to_ms !== this.#move.to_ms) return;
    follower.hasAnswered = true;
    follower.answered(answer.refusal);
  }

  /** True if it doesn't know the state yet, or failed to act on it. */
  #hasWork(follower: Follower): boolean {
    if (follower.known !== JSON.stringify(this.#state())) return true;
    if (this.#move === null) return follower.aheadMs < this.#clock.aheadMs;
    return this.#move.step === "ask" ? !follower.hasAnswered : follower.aheadMs < this.#move.to_ms;
  }

  #begin(move: Move): void {
    this.#move = move;
    this.#releaseAll();
  }

  async #moveOwn(aheadMs: number): Promise<void> {
    if (aheadMs <= this.#clock.aheadMs) return;
    await this.#clock.moveTo(aheadMs);
    this.#onMoved();
  }

  #state(): ClockState {
    return { ahead_ms: this.#clock.aheadMs, move: this.#move };
  }

  /** Followers, without those that have acted on a response for so long that they must be gone. */
  #present(): Follower[] {
    for (const [id, { release, actsSinceMs }] of this.#followers)
      if (release === null && performance.now() - actsSinceMs > answerMaxMs) this.#followers.delete(id);
    return [...this.#followers.values()];
  }

  #add({ id, name, ahead_ms }: FollowerReport): Follower {
    const follower: Follower = {
      name,
      aheadMs: ahead_ms,
      release: null,
      actsSinceMs: performance.now(),
      known: "",
      hasAnswered: false,
      answered: () => undefined,
      arrived: () => undefined,
    };
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
        follower.arrived();
        end();
      };
      const timer = setTimeout(end, holdMs);
      left.addEventListener("abort", leave);
      follower.release = end;
    });
  }

  #releaseAll(): void {
    for (const { release } of this.#followers.values()) release?.();
  }
}

const isFailure = (result: MoveResult) => result.kind !== "moved";

function ask(follower: Follower): Promise<MoveResult> {
  return withinLimit({ kind: "silent", follower: follower.name, reason: "it doesn't answer" }, (end) => {
    follower.answered = (refusal) =>
      end(
        refusal === null ? { kind: "moved" } : { kind: "refused", follower: follower.name, reason: refusal },
      );
  });
}

function arrival(follower: Follower, toMs: number): Promise<MoveResult> {
  const late = { kind: "late", follower: follower.name, reason: "its clock hasn't moved yet" } as const;
  return withinLimit(late, (end) => {
    follower.arrived = () => end({ kind: "moved" });
    if (follower.aheadMs >= toMs) follower.arrived();
  });
}

function withinLimit(otherwise: MoveResult, begin: (end: (result: MoveResult) => void) => void) {
  return new Promise<MoveResult>((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), answerMaxMs);
    begin((result) => {
      clearTimeout(timer);
      resolve(result);
    });
  });
}
