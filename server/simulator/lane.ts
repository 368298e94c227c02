import { randomInt } from "node:crypto";
import { callbackBody, signatureHeader, CallbackClient } from "./callbacks";
import type { SimulatorLog } from "./simulator-context";
import type { NumberQueue, Pending } from "./number-queue";
import type { PhoneNumber, Verification } from "./numbers";

/** Address of callbacks, their signature, and the token that the receiver must know. */
export type Destination = Verification & Pick<PhoneNumber, "app_secret">;

export interface LaneOptions {
  readonly log: SimulatorLog;
  /** The simulator's time, in Unix milliseconds. It can jump forward: then `clockMoved` must be called. */
  nowMs(): number;
  /** How much time was skipped by moving the clock. A callback that is due in it was never tried. */
  skippedMs(): number;
  /** Records that these callbacks are no longer owed. */
  settled(kind: "delivered" | "abandoned", callbackIds: string[]): void;
  isVerified(target: Verification): boolean;
  markVerified(target: Verification): Promise<void>;
}

type Batch = Map<NumberQueue, Pending[]>;

const batchSizeMax = 1000;
const batchSizeStep = 10;
const batchWindowMs = 20;
const callsInFlightMax = 4;
const retryDelayMinMs = 100;
const retryDelayMaxMs = 60_000;
const keptForMs = 7 * 24 * 60 * 60 * 1000;
const clientLimits = { timeoutMs: 10_000, answerBytesMax: 64 * 1024, connectionsMax: callsInFlightMax };

/**
 * Delivers the callbacks of all numbers that share a destination: verified once, batched, signed, a few POSTs at a
 * time. A failure pauses the lane, and from then on it probes with one POST at a time. After a refusal, batches shrink
 * to single callbacks, each with its own back-off, so that one bad entry can't block the others forever.
 */
export class Lane {
  readonly queues = new Set<NumberQueue>();
  readonly #destination: Destination;
  readonly #options: LaneOptions;
  readonly #client: CallbackClient;
  readonly #calls = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | null = null;
  #wakesAt = Infinity;
  #heldUntil = 0;
  #failures = 0;
  #batchSize = batchSizeMax;
  #verifying = false;
  #stopped = false;

  constructor(destination: Destination, options: LaneOptions) {
    this.#destination = destination;
    this.#options = options;
    this.#client = new CallbackClient(destination.callback_url, clientLimits);
  }

  /** Ensures that the lane checks its queues at `at`. Times are rounded up, so that callbacks are sent in batches. */
  schedule(at: number): void {
    const wakesAt = Math.ceil(Math.max(at, this.#heldUntil) / batchWindowMs) * batchWindowMs;
    if (this.#stopped || this.#verifying || wakesAt >= this.#wakesAt) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#wakesAt = wakesAt;
    this.#timer = setTimeout(() => this.#pump(), Math.max(0, wakesAt - this.#options.nowMs()));
  }

  /** Takes over that the time has jumped. */
  clockMoved(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#wakesAt = Infinity;
    this.schedule(this.#nextAt());
  }

  /** Takes no more callbacks from the queues. Calls in progress may end within `graceMs`, then they are aborted. */
  async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    const cut = setTimeout(() => this.#client.close(), graceMs);
    await Promise.all(this.#calls);
    clearTimeout(cut);
    this.#client.close();
  }

  #pump(): void {
    this.#timer = null;
    this.#wakesAt = Infinity;
    if (this.#stopped) return;
    const now = this.#options.nowMs();
    if (now < this.#heldUntil) return this.schedule(this.#heldUntil);
    if (this.#nextAt() > now) return this.schedule(this.#nextAt());
    if (!this.#options.isVerified(this.#destination)) return this.#track(this.#verify());
    const callsMax = this.#failures > 0 ? 1 : callsInFlightMax;
    while (this.#calls.size < callsMax) {
      const batch = this.#takeBatch(now);
      if (batch.size === 0) break;
      this.#track(this.#deliver(batch));
    }
    // If every slot is in use, the end of a call schedules the lane again.
    if (this.#calls.size < callsMax) this.schedule(this.#nextAt());
  }

  #track(call: Promise<void>): void {
    this.#calls.add(call);
    void call.finally(() => {
      this.#calls.delete(call);
      this.schedule(Math.max(this.#nextAt(), this.#options.nowMs()));
    });
  }

  #nextAt(): number {
    let nextAt = Infinity;
    for (const queue of this.queues) nextAt = Math.min(nextAt, queue.waiting.nextAt);
    return nextAt;
  }

  #takeBatch(now: number): Batch {
    const batch: Batch = new Map();
    const abandoned: string[] = [];
    let room = this.#batchSize;
    for (const queue of this.queues) {
      for (let next = takeIf(room, queue, now); next !== null; next = takeIf(room, queue, now)) {
        if (next.callback.due_at_ms < now - keptForMs - this.#options.skippedMs()) {
          queue.settle(next);
          abandoned.push(next.callback.id);
          continue;
        }
        room -= 1;
        const entries = batch.get(queue);
        if (entries === undefined) batch.set(queue, [next]);
        else entries.push(next);
      }
    }
    for (const served of batch.keys()) {
      this.queues.delete(served);
      this.queues.add(served);
    }
    if (abandoned.length > 0) {
      this.#options.log.warn(
        { callbacks: abandoned.length },
        "gave up delivering callbacks after seven days",
      );
      this.#options.settled("abandoned", abandoned);
    }
    return batch;
  }

  async #deliver(batch: Batch): Promise<void> {
    const refused = await this.#post(batch).catch((error: unknown) => this.#fail(error));
    if (refused === "accepted") {
      this.#failures = 0;
      this.#batchSize = Math.min(batchSizeMax, this.#batchSize * batchSizeStep);
      const ids: string[] = [];
      for (const [queue, entries] of batch) {
        for (const pending of entries) {
          queue.settle(pending);
          ids.push(pending.callback.id);
        }
      }
      this.#options.settled("delivered", ids);
      return;
    }
    const now = this.#options.nowMs();
    for (const [queue, entries] of batch) {
      for (const pending of entries) {
        const refusals = refused === "refused" ? pending.refusals + 1 : pending.refusals;
        queue.putBack(
          pending,
          refusals === 0 ? pending.callback.due_at_ms : now + retryDelayMs(refusals),
          refusals,
        );
      }
    }
  }

  async #post(batch: Batch): Promise<"accepted" | "refused"> {
    const body = callbackBody(
      [...batch].flatMap(([{ number }, entries]) =>
        number === null ? [] : [{ number, callbacks: entries.map(({ callback }) => callback) }],
      ),
    );
    const { status } = await this.#client.post(body, {
      "x-hub-signature-256": signatureHeader(body, this.#destination.app_secret),
    });
    if (status === 200) return "accepted";
    this.#fail(new Error(`answered ${status}`));
    this.#batchSize = Math.max(1, Math.floor(this.#batchSize / batchSizeStep));
    return "refused";
  }

  /** Sends Meta's verification request. The receiver must echo the challenge. */
  async #verify(): Promise<void> {
    this.#verifying = true;
    const challenge = String(randomInt(1_000_000_000, 2_000_000_000));
    try {
      const answer = await this.#client.get({
        "hub.mode": "subscribe",
        "hub.challenge": challenge,
        "hub.verify_token": this.#destination.verify_token,
      });
      if (answer.status !== 200) throw new Error(`verification answered ${answer.status}`);
      if (answer.body.trim() !== challenge) throw new Error("verification did not echo the challenge");
      await this.#options.markVerified(this.#destination);
      this.#failures = 0;
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#verifying = false;
    }
  }

  #fail(error: unknown): "unanswered" {
    // Calls that were in progress together count as one failure.
    if (this.#options.nowMs() >= this.#heldUntil) this.#failures += 1;
    const delayMs = retryDelayMs(this.#failures);
    this.#heldUntil = this.#options.nowMs() + delayMs;
    const { origin } = new URL(this.#destination.callback_url);
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.log.warn(
      { receiver: origin, reason, failures: this.#failures, delayMs },
      "delivering a callback failed",
    );
    return "unanswered";
  }
}

function takeIf(room: number, queue: NumberQueue, now: number): Pending | null {
  return room > 0 ? queue.takeDue(now) : null;
}

function retryDelayMs(failures: number): number {
  return Math.min(retryDelayMaxMs, retryDelayMinMs * 2 ** Math.min(failures - 1, 20));
}
