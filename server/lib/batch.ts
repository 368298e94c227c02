import { withinTime } from "./time-limit";

export interface BatcherOptions<I, O> {
  /** Returns the answers in the order of `items`. */
  run(items: readonly I[]): Promise<readonly O[]>;
  /** Maximum number of items in one batch. */
  itemsMax: number;
  /** Maximum number of concurrent batches. */
  inFlightMax: number;
  /**
   * Target size of a batch: a smaller one waits up to 2 ms for more calls. If absent, a batch starts at the end of the
   * turn.
   */
  gathered?: () => number;
  /**
   * Time limit of a batch. After it, the batch fails and the next one starts, so that one dead connection doesn't block
   * all.
   */
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
 * Joins concurrent calls into few batches. Calls of one turn of the event loop go out together at its end. While
 * `inFlightMax` batches run, further calls wait and form the next one. No call waits for a timer, unless `gathered`
 * asks for more calls than there are. Every call is answered by a batch that starts after it, so the data it reads is
 * never older than the call. An error of a batch rejects only that batch's calls.
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

/** Never rejects: every error is passed to the calls of the batch. */
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
