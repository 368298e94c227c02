import { createHash, randomInt } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { readInput, sendJson } from "./http";
import type { PlannedStatus } from "./outcome-row";
import type { SimulatorContext } from "./simulator-context";

const lateMs = { min: 1_000, max: 30_000 } as const;
/** Time between the two copies of a doubled callback. */
const doubledAfterMs = 50;

const rate = z.number().min(0).max(1).default(0);

/** How often each fault happens, from 0 (never) to 1 (always). */
const ratesSchema = z.strictObject({
  late_callbacks: rate,
  lost_callbacks: rate,
  doubled_callbacks: rate,
  reordered_callbacks: rate,
  lost_answers: rate,
});

const putFaultsSchema = ratesSchema.extend({ seed: z.int().min(0).max(0xffff_ffff).optional() });

type Rates = z.infer<typeof ratesSchema>;
type Fault = keyof Rates;

const noFaults = ratesSchema.parse({});

/**
 * Faults by chance, all of them from one seed. The chance of a message depends only on the seed, on the customer's
 * number, and on how many messages the pair of numbers had before it. So a program that does the same again, with the
 * same customers, meets the same faults, whatever the timing and the ids are, and however many messages it sends at a
 * time. Only messages to one customer at the same time can exchange theirs. They end with the process.
 */
export class Faults {
  #rates = noFaults;
  #seed = 0;
  /** Number of messages so far of each pair of numbers. */
  readonly #counts = new Map<string, number>();

  /** Starts anew from the seed. */
  set(rates: Rates, seed: number): void {
    this.#rates = rates;
    this.#seed = seed;
    this.#counts.clear();
  }

  get current() {
    return { seed: this.#seed, ...this.#rates };
  }

  /** Takes the next message between the two numbers, and returns its chances. */
  next(phoneNumberId: string, customer: string, direction: "to" | "from"): Chances {
    if (!Object.values(this.#rates).some((rate) => rate > 0)) return noChances;
    const pair = `${direction}:${phoneNumberId}:${customer}`;
    const count = (this.#counts.get(pair) ?? 0) + 1;
    this.#counts.set(pair, count);
    return new Chances(this.#rates, `${this.#seed}:${direction}:${customer}:${count}`);
  }
}

/** The faults of one message. */
class Chances {
  readonly #rates: Rates;
  readonly #message: string;

  constructor(rates: Rates, message: string) {
    this.#rates = rates;
    this.#message = message;
  }

  get losesAnswer(): boolean {
    return this.#has("lost_answers");
  }

  /** Applies the faults of callbacks to the statuses that would be sent without them. */
  statusesOf(planned: readonly PlannedStatus[]): readonly PlannedStatus[] {
    if (this === noChances) return planned;
    const times = planned.map(({ afterMs }) => afterMs);
    if (this.#has("reordered_callbacks")) times.reverse();
    return planned.flatMap((status, place) => {
      const happenedAfterMs = status.happenedAfterMs ?? status.afterMs;
      return this.timesOf(times[place] ?? status.afterMs, place).map((afterMs) => ({
        ...status,
        afterMs,
        happenedAfterMs,
      }));
    });
  }

  /** Returns when a callback comes that would come after `afterMs`: never, once or twice. */
  timesOf(afterMs: number, place = 0): number[] {
    if (this.#has("lost_callbacks", place)) return [];
    const delayMs = this.#has("late_callbacks", place)
      ? lateMs.min + this.#chance("delay", place) * (lateMs.max - lateMs.min)
      : 0;
    const firstMs = Math.round(afterMs + delayMs);
    return this.#has("doubled_callbacks", place) ? [firstMs, firstMs + doubledAfterMs] : [firstMs];
  }

  #has(fault: Fault, place = 0): boolean {
    return this.#rates[fault] > 0 && this.#chance(fault, place) < this.#rates[fault];
  }

  /** Returns a number from 0 to 1, exclusive. */
  #chance(fault: string, place: number): number {
    const hash = createHash("sha256").update(`${this.#message}:${fault}:${place}`).digest();
    return hash.readUInt32BE() / 2 ** 32;
  }
}

const noChances = new Chances(noFaults, "");

/** `PUT /simulator/faults`: replaces the faults, and starts from the seed. An empty body ends them. */
export async function putFaults(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(putFaultsSchema, request, response);
  if (input === null) return;
  const { seed = randomInt(2 ** 32), ...rates } = input;
  context.faults.set(rates, seed);
  context.log.info({ seed, ...rates }, "faults by chance: the seed repeats them");
  sendJson(response, 200, context.faults.current);
}
