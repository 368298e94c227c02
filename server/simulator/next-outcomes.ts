import { asFields } from "./fields";
import { receiveFromCustomer } from "./inbound";
import type { MessageRequest } from "./message-request";
import { outcomeFor } from "./outcomes";
import { delivered, read, sent, wholeLife, type PlannedStatus } from "./outcome-row";
import type { SimulatorContext } from "./simulator-context";

/** Customers whose next message has an outcome. */
const customersMax = 1_000;

/** An outcome that is set for one customer's next message. */
interface NextOutcomeRow {
  /** One sentence for people. */
  readonly description: string;
  statuses(facts: { readonly isMarketing: boolean }): readonly PlannedStatus[];
  /** Something else that the customer does, once the message is in the ledger and before its response is sent. */
  readonly follows?: (context: SimulatorContext, customer: Customer) => Promise<unknown>;
  /** Only a customer with a number can do it. */
  readonly needsNumber?: true;
}

interface Customer {
  readonly phoneNumberId: string;
  /** A number in digits, or an id of a person. */
  readonly customer: string;
}

const undeliverable = { status: "failed", afterMs: 150, error: "undeliverable" } as const;

export const nextOutcomes = {
  not_delivered: {
    description: "WhatsApp accepts it, then reports that it can’t be delivered.",
    statuses: () => [undeliverable],
  },
  slow: {
    description: "It reaches the phone after 10 seconds, and is read 2 seconds later.",
    statuses: () => [sent, { status: "delivered", afterMs: 10_000 }, { status: "read", afterMs: 12_000 }],
  },
  not_read: {
    description: "It reaches the phone, and the customer doesn’t read it yet.",
    statuses: () => [sent, delivered],
  },
  read_without_delivered: {
    description: "The customer reads it, but WhatsApp never reports that it was delivered.",
    statuses: () => [sent, read],
  },
  number_changed: {
    description: "It isn’t delivered, because the customer has a new number, which WhatsApp reports.",
    statuses: () => [undeliverable],
    follows: changeNumber,
    needsNumber: true,
  },
  opted_out: {
    description: "The customer stops marketing messages: such a message fails, and any other arrives.",
    statuses: ({ isMarketing }) =>
      isMarketing ? [{ status: "failed", afterMs: 150, error: "marketing_stopped" }] : wholeLife,
    follows: (context, { phoneNumberId, customer }) =>
      receiveFromCustomer(context, {
        phone_number_id: phoneNumberId,
        ...(isNumber(customer) ? { from: customer } : { user_id: customer }),
        type: "user_preferences",
        user_preferences: { value: "stop" },
      }),
  },
} as const satisfies Record<string, NextOutcomeRow>;

export type NextOutcomeName = keyof typeof nextOutcomes;

/** Returns the names. `Object.keys` of a const object that nothing extends, hence the cast. */
export function nextOutcomeNames(): [NextOutcomeName, ...NextOutcomeName[]] {
  return Object.keys(nextOutcomes) as [NextOutcomeName, ...NextOutcomeName[]];
}

/** Returns true if the outcome can happen to this customer. */
export function isPossible(name: NextOutcomeName, customer: string): boolean {
  const { needsNumber }: NextOutcomeRow = nextOutcomes[name];
  return needsNumber !== true || isNumber(customer);
}

/** The outcomes that were set for the next message of some customers. In memory only. */
export class NextOutcomes {
  readonly #names = new Map<string, NextOutcomeName>();

  get({ phoneNumberId, customer }: Customer): NextOutcomeName | null {
    return this.#names.get(keyOf(phoneNumberId, customer)) ?? null;
  }

  /** Null removes it. The oldest one is removed if there are too many. */
  set({ phoneNumberId, customer }: Customer, name: NextOutcomeName | null): void {
    const key = keyOf(phoneNumberId, customer);
    this.#names.delete(key);
    if (name !== null) this.#names.set(key, name);
    const [oldest] = this.#names.keys();
    if (this.#names.size > customersMax && oldest !== undefined) this.#names.delete(oldest);
  }

  /** Returns the outcome of this message, and removes it. A reaction isn't a message of its own. */
  take(phoneNumberId: string, { recipient, type }: MessageRequest): NextOutcomeName | null {
    if (type === "reaction") return null;
    const key = keyOf(phoneNumberId, recipient.id);
    const name = this.#names.get(key) ?? null;
    this.#names.delete(key);
    return name;
  }
}

/** Returns the statuses of a message with this outcome. */
export function statusesOfNext(
  { templates, numbers }: SimulatorContext,
  name: NextOutcomeName,
  { phoneNumberId, message }: { phoneNumberId: string; message: MessageRequest },
): readonly PlannedStatus[] {
  const { statuses }: NextOutcomeRow = nextOutcomes[name];
  const { type, content } = message;
  const wabaId = numbers.get(phoneNumberId)?.waba_id ?? "";
  const template =
    type === "template"
      ? templates.get(wabaId, String(content.name), String(asFields(content.language)?.code))
      : null;
  return statuses({ isMarketing: template?.category === "MARKETING" });
}

/** Lets the customer do what belongs to the outcome. */
export async function followNext(
  context: SimulatorContext,
  name: NextOutcomeName,
  customer: Customer,
): Promise<void> {
  const { follows }: NextOutcomeRow = nextOutcomes[name];
  await follows?.(context, customer);
}

function changeNumber(context: SimulatorContext, { phoneNumberId, customer }: Customer) {
  const wa_id = numberAfter(customer);
  return receiveFromCustomer(context, {
    phone_number_id: phoneNumberId,
    from: customer,
    type: "system",
    system: {
      type: "user_changed_number",
      body: `User changed from ${customer} to ${wa_id}`,
      wa_id,
    },
  });
}

/** Returns a number of the same length that differs in its last digits, and that has no outcome of its own. */
function numberAfter(number: string): string {
  const kept = number.slice(0, -4);
  const last = Number(number.slice(-4));
  for (let step = 1; ; step++) {
    const next = kept + String((last + step) % 10_000).padStart(4, "0");
    if (outcomeFor(next).suffix === null) return next;
  }
}

/** An id of a person contains a dot. */
function isNumber(customer: string): boolean {
  return !customer.includes(".");
}

function keyOf(phoneNumberId: string, customer: string): string {
  return `${phoneNumberId} ${customer}`;
}
