import { readLines } from "./files";
import type { Journal } from "./journal";
import { Phone, type PhoneOwner } from "./phone";
import { parseRecord, type JournalRecord } from "./records";

/** Phones that are kept in memory. Another one is read from the ledger. */
const phonesMax = 20;

interface Open {
  readonly phone: Phone;
  readonly loaded: Promise<void>;
  /** Records that were written while the ledger was read. Null afterwards. */
  late: JournalRecord[] | null;
}

/**
 * The phones of the customers that someone looks at. A phone is read from the ledger when it is first asked for, and
 * follows the journal from then on, so phones that nobody looks at cost nothing.
 */
export class Phones {
  readonly #journal: Journal;
  /** The one that was asked for last comes last. */
  readonly #open = new Map<string, Open>();

  constructor(journal: Journal) {
    this.#journal = journal;
    journal.onAppend = (record) => this.#note(record);
  }

  /** Resolves to the phone with everything that the ledger says about it. */
  async get(owner: PhoneOwner): Promise<Phone> {
    const key = `${owner.phoneNumberId} ${owner.customer}`;
    const open = this.#open.get(key) ?? this.#load(owner);
    this.#open.delete(key);
    this.#open.set(key, open);
    const [oldest] = this.#open.keys();
    if (this.#open.size > phonesMax && oldest !== undefined) this.#open.delete(oldest);
    try {
      await open.loaded;
    } catch (error) {
      this.#open.delete(key);
      throw error;
    }
    return open.phone;
  }

  #load(owner: PhoneOwner): Open {
    const phone = new Phone(owner);
    const late: JournalRecord[] = [];
    const loaded = this.#replay(phone, owner).then(() => {
      for (const record of late) phone.apply(record);
      open.late = null;
    });
    const open: Open = { phone, loaded, late };
    return open;
  }

  async #replay(phone: Phone, { phoneNumberId }: PhoneOwner): Promise<void> {
    const { path, size } = this.#journal;
    for await (const { lines } of readLines(path, { start: 0, end: size })) {
      for (const line of lines) {
        // Lines without the number are about others, unless they say which callbacks were delivered.
        if (!line.includes(phoneNumberId) && !line.includes('"callbacks"')) continue;
        const record = parseRecord(line);
        if (record !== null) phone.apply(record);
      }
    }
  }

  #note(record: JournalRecord): void {
    for (const { phone, late } of this.#open.values()) {
      if (late === null) phone.apply(record);
      else late.push(record);
    }
  }
}
