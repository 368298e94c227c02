import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "./clock";
import { AppendFile, readLines, writeFileAtomically } from "./files";
import { ReceivedMessages, type ReceivedMessage } from "./received-messages";
import type { SimulatorLog, SimulatorContext } from "./simulator-context";
import {
  owedBy,
  parseRecord,
  serialOf,
  type JournalRecord,
  type OwedCallback,
  isCountedRefusal,
  type CallRecord,
  type ChangeField,
  type EventRecord,
} from "./records";

/** Summary of the journal's first `bytes` bytes, so that a start needn't read them all again. */
interface Checkpoint {
  /** Version of the format. A checkpoint of another version is ignored. */
  readonly version: number;
  readonly bytes: number;
  readonly lastSerial: number;
  readonly owed: readonly OwedCallback[];
  readonly refusals: readonly (readonly [string, number])[];
  readonly received: readonly ReceivedMessage[];
}

const checkpointVersion = 3;
const emptyCheckpoint: Checkpoint = {
  version: checkpointVersion,
  bytes: 0,
  lastSerial: 0,
  owed: [],
  refusals: [],
  received: [],
};

/**
 * The one append-only file that contains the ledger (`ledger.jsonl`): calls, other events, and which callbacks were
 * delivered. The owed callbacks are always derived from it.
 */
export class Journal {
  readonly path: string;
  readonly refusals: Refusals;
  readonly received: ReceivedMessages;
  /** Is told each record that was written. */
  onAppend: ((record: JournalRecord) => void) | null = null;
  readonly #clock: Clock;
  readonly #checkpointPath: string;
  readonly #file: AppendFile;
  #lastSerial: number;

  private constructor(directory: string, file: AppendFile, clock: Clock, replayed: Checkpoint) {
    this.path = ledgerPath(directory);
    this.#checkpointPath = checkpointPath(directory);
    this.#file = file;
    this.#clock = clock;
    this.#lastSerial = replayed.lastSerial;
    this.refusals = new Refusals(replayed.refusals);
    this.received = new ReceivedMessages(replayed.received);
  }

  /** Opens the journal, ignores a torn last line, and returns the callbacks that are still owed. */
  static async open(
    directory: string,
    { log, clock }: { log: SimulatorLog; clock: Clock },
  ): Promise<{ journal: Journal; owed: OwedCallback[] }> {
    const replayed = await replay(directory, { log, clock });
    const file = await AppendFile.open(ledgerPath(directory), replayed.bytes);
    const journal = new Journal(directory, file, clock, replayed);
    const owed = [...replayed.owed];
    await journal.#checkpoint(owed);
    return { journal, owed };
  }

  /** Number of bytes of the whole lines written so far. */
  get size(): number {
    return this.#file.size;
  }

  /** Returns a number that no earlier accepted or inbound message of this directory had. */
  nextSerial(): number {
    this.#lastSerial += 1;
    return this.#lastSerial;
  }

  /** Resolves when the record is in the file. Rejects if it could not be written; then it isn't in the file. */
  async append(record: JournalRecord): Promise<void> {
    await this.#file.append(JSON.stringify(record));
    this.onAppend?.(record);
  }

  /** Waits for lines that are being written, and closes the file. `owed`: the callbacks that are not delivered yet. */
  async close(owed: readonly OwedCallback[]): Promise<void> {
    await this.#file.close();
    await this.#checkpoint(owed);
  }

  async #checkpoint(owed: readonly OwedCallback[]): Promise<void> {
    const checkpoint: Checkpoint = {
      version: checkpointVersion,
      bytes: this.#file.size,
      lastSerial: this.#lastSerial,
      owed,
      refusals: this.refusals.entries(),
      received: this.received.entries(this.#clock.nowMs()),
    };
    await writeFileAtomically(this.#checkpointPath, JSON.stringify(checkpoint));
  }
}

function ledgerPath(directory: string): string {
  return join(directory, "ledger.jsonl");
}

function checkpointPath(directory: string): string {
  return join(directory, "owed.json");
}

async function replay(
  directory: string,
  { log, clock }: { log: SimulatorLog; clock: Clock },
): Promise<Checkpoint> {
  const path = ledgerPath(directory);
  const fileBytes = await sizeOf(path);
  const checkpoint = await readCheckpoint(checkpointPath(directory), fileBytes, log);
  const owed = new Map(checkpoint.owed.map((callback) => [callback.id, callback]));
  const refusals = new Refusals(checkpoint.refusals);
  const received = new ReceivedMessages(checkpoint.received);
  let { bytes, lastSerial } = checkpoint;
  for await (const { lines, nextOffset } of readLines(path, { start: bytes, end: fileBytes })) {
    for (const line of lines) {
      const record = parseRecord(line);
      if (record === null) {
        log.warn({ path }, "skipped an unreadable line of the simulator's ledger");
        continue;
      }
      for (const callback of owedBy(record)) owed.set(callback.id, callback);
      if (record.kind === "call") refusals.note(record);
      if (record.kind === "change") received.note(record);
      if ("callbacks" in record) for (const id of record.callbacks) owed.delete(id);
      lastSerial = Math.max(lastSerial, serialOf(record));
    }
    bytes = nextOffset;
  }
  return {
    version: checkpointVersion,
    bytes,
    lastSerial,
    owed: [...owed.values()],
    refusals: refusals.entries(),
    received: received.entries(clock.nowMs()),
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isAbsent(error)) return 0;
    throw error;
  }
}

async function readCheckpoint(path: string, fileBytes: number, log: SimulatorLog): Promise<Checkpoint> {
  try {
    // Only #checkpoint writes it, atomically, hence the cast.
    const checkpoint = JSON.parse(await readFile(path, "utf8")) as Checkpoint;
    if (checkpoint.version === checkpointVersion && checkpoint.bytes <= fileBytes) return checkpoint;
    log.warn({ path }, "the simulator's checkpoint doesn't match its ledger: reading the whole ledger");
  } catch (error) {
    if (!isAbsent(error)) {
      log.warn({ path }, "the simulator's checkpoint is unreadable: reading the whole ledger");
    }
  }
  return emptyCheckpoint;
}

function isAbsent(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/**
 * Counts the refusals of a message, for the outcomes that refuse only the first calls. A message is identified by
 * (phone_number_id, recipient, biz_opaque_callback_data). An acceptance ends its count.
 */
class Refusals {
  readonly #counts: Map<string, number>;

  constructor(entries: Iterable<readonly [string, number]> = []) {
    this.#counts = new Map(entries);
  }

  count(message: RefusedMessage): number {
    return this.#counts.get(keyOf(message)) ?? 0;
  }

  /** Counts a call. Must happen in the same turn of the event loop as the decision about it. */
  note(record: CallRecord): void {
    if (isCountedRefusal(record)) this.#counts.set(keyOf(record), this.count(record) + 1);
    else if (record.wamid !== null) this.#counts.delete(keyOf(record));
  }

  entries(): [string, number][] {
    return [...this.#counts];
  }
}

type RefusedMessage = Pick<CallRecord, "phone_number_id" | "to" | "biz_opaque_callback_data">;

function keyOf(message: RefusedMessage): string {
  return JSON.stringify([message.phone_number_id, message.to, message.biz_opaque_callback_data]);
}

/** Resolves when the callback is stored for delivery. `value` is in Meta's format, without product and metadata. */
export async function recordEvent(
  context: SimulatorContext,
  event: {
    phone_number_id: string;
    field: ChangeField;
    value: object;
    at: Date;
    /** When its callbacks are due, in milliseconds after `at`. Once, immediately, if absent. */
    dueAfterMs?: readonly number[];
  },
): Promise<EventRecord> {
  const { phone_number_id, field, value, at, dueAfterMs } = event;
  const record: EventRecord = {
    kind: "change",
    at: at.toISOString(),
    serial: context.journal.nextSerial(),
    at_ms: at.getTime(),
    phone_number_id,
    ...(dueAfterMs && { due_ms: dueAfterMs.map((afterMs) => at.getTime() + afterMs) }),
    field,
    value,
  };
  await context.journal.append(record);
  context.journal.received.note(record);
  context.dispatcher.owe(owedBy(record));
  return record;
}

/** Returns seconds since 1970 in the format of Meta's messages. */
export function timestampOf(at: Date): string {
  return String(Math.floor(at.getTime() / 1000));
}
