import { withinTime } from "./time-limit";

export interface BatcherOptions<I, O> {
  /** Answers `items` in their order. */
  run(items: readonly I[]): Promise<readonly O[]>;
  /** Items of one batch at most. */
  itemsMax: number;
  /** Batches that run at once at most. */
  inFlightMax: number;
  /** A batch of fewer waits for more, but two milliseconds at most. At once, at the end of the turn, when absent. */
  gathered?: () => number;
  /** A batch that takes longer fails, and gives its place to the next: one dead connection must not hold all up. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const LINGER_MS = 2;

interface Call<I, O> {
  readonly item: I;
  resolve(output: O): void;
  reject(error: unknown): void;
}

/**
 * Joins concurrent calls into few batches: those of one turn of the event loop go out together at its end, and
 * while `inFlightMax` batches run, further calls wait and form the next one. Nobody waits for a timer, unless
 * `gathered` asks for more than there are.
 * Every call is answered by a batch that starts after it, so what it reads is never older than the call.
 * An error of a batch rejects that batch's calls, and no others.
 */
export function createBatcher<I, O>({
  run,
  itemsMax,
  inFlightMax,
  gathered = () => 1,
  timeoutMs = TIMEOUT_MS,
}: BatcherOptions<I, O>): (item: I) => Promise<O> {
  let waiting: Call<I, O>[] = [];
  let inFlight = 0;
  let isScheduled = false;
  let gathering: NodeJS.Timeout | null = null;

  function dispatch(): void {
    isScheduled = false;
    if (gathering !== null) clearTimeout(gathering);
    gathering = null;
    while (waiting.length > 0 && inFlight < inFlightMax) {
      const batch = waiting.slice(0, itemsMax);
      waiting = waiting.slice(itemsMax);
      inFlight += 1;
      void settle(batch, (items) => withinTime(run(items), timeoutMs)).finally(() => {
        inFlight -= 1;
        schedule();
      });
    }
  }

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || inFlight >= inFlightMax) return;
    if (waiting.length >= Math.min(gathered(), itemsMax)) {
      isScheduled = true;
      setImmediate(dispatch);
    } else {
      gathering ??= setTimeout(dispatch, LINGER_MS);
    }
  }

  return (item) =>
    new Promise<O>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

/** Never rejects: whatever happens reaches the calls of the batch. */
async function settle<I, O>(batch: readonly Call<I, O>[], run: BatcherOptions<I, O>["run"]): Promise<void> {
  try {
    const outputs = await run(batch.map((call) => call.item));
    if (outputs.length !== batch.length) {
      throw new Error(`A batch of ${batch.length} items was answered with ${outputs.length}`);
    }
    const answers = outputs.values();
    for (const call of batch) {
      const answer = answers.next();
      if (!answer.done) call.resolve(answer.value);
    }
  } catch (error) {
    for (const call of batch) call.reject(error);
  }
}
