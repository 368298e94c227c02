import { randomUUID } from "node:crypto";
import { type ExpectedRow, expectedRows } from "@/e2e/outcomes/expected";
import type { OutgoingMessage } from "./clients";

/** How many customers of an outcome a round has, and how many messages each gets. */
export interface Share {
  readonly customers: number;
  readonly messages: number;
}

/**
 * The customers of a round beside ordinary ones, by the simulator's names of outcomes: each message ends in its own
 * way, or stays in doubt. One message each if the outcome prevents further messages to the customer.
 */
const MIX = {
  stays_sent: { customers: 2, messages: 2 },
  no_callbacks: { customers: 8, messages: 3 },
  unnamed_callbacks: { customers: 2, messages: 4 },
  callbacks_disordered: { customers: 3, messages: 5 },
  callbacks_repeated: { customers: 3, messages: 5 },
  read_before_sent: { customers: 2, messages: 4 },
  callbacks_late: { customers: 2, messages: 2 },
  held_then_read: { customers: 2, messages: 2 },
  fails_after_sent: { customers: 3, messages: 1 },
  fails_then_delivered: { customers: 3, messages: 1 },
  undeliverable_at_once: { customers: 6, messages: 1 },
  undeliverable_later: { customers: 3, messages: 1 },
  fails_window_closed: { customers: 3, messages: 1 },
  refused_parameter_missing: { customers: 3, messages: 4 },
  refused_recipient_blocked: { customers: 3, messages: 2 },
  throttled_once: { customers: 6, messages: 3 },
  unavailable_once: { customers: 6, messages: 3 },
  throttled_without_body: { customers: 3, messages: 2 },
  refused_twice_throughput_exceeded: { customers: 4, messages: 1 },
  pair_limited_twice: { customers: 4, messages: 1 },
  accepted_then_dropped: { customers: 4, messages: 3 },
  accepted_then_dropped_late: { customers: 2, messages: 1 },
  accepted_then_dropped_fails: { customers: 3, messages: 1 },
  accepted_then_dropped_unconfirmed: { customers: 2, messages: 2 },
  accepted_then_html_500: { customers: 4, messages: 3 },
  accepted_then_graph_500: { customers: 2, messages: 2 },
  accepted_without_id: { customers: 2, messages: 2 },
  accepted_cut: { customers: 2, messages: 2 },
  accepted_empty: { customers: 2, messages: 2 },
  accepted_answer_slow: { customers: 6, messages: 1 },
  accepted_answer_slower: { customers: 4, messages: 1 },
  dropped: { customers: 3, messages: 2 },
  html_500: { customers: 3, messages: 2 },
  html_502: { customers: 2, messages: 2 },
  graph_500: { customers: 2, messages: 2 },
  never_answers: { customers: 2, messages: 1 },
} as const satisfies Readonly<Record<string, Share>>;

/** A message of a round, and its expected outcome. */
export interface Planned {
  readonly message: OutgoingMessage;
  readonly expected: ExpectedRow;
}

export interface Plan {
  /** All recipients. */
  readonly handles: readonly string[];
  /** In sending order: outcomes are mixed. */
  readonly planned: readonly Planned[];
}

/** The content of a message for each type: `{ type, … }` as `POST /messages` accepts it. */
export type Contents = readonly ((text: string) => Readonly<Record<string, unknown>>)[];

/** The recipients of a plan: numbers of round `round`, from 0, that no other round uses. */
export interface PlanOptions {
  readonly round: number;
  readonly channelId: string;
  readonly contents: Contents;
}

/** Plans messages of all outcomes for one round, most of them to `ordinaryCustomers`, ten each. */
export function planRound(options: PlanOptions, ordinaryCustomers: number): Plan {
  const { round } = options;
  const special = Object.entries<Share>(MIX).flatMap(([name, share]) =>
    customersOf(name, share, round * share.customers),
  );
  const share = { customers: ordinaryCustomers, messages: ORDINARY_MESSAGES };
  return planOf([...customersOf(ORDINARY, share, round * ordinaryCustomers), ...special], options);
}

/** Plans messages to ordinary customers, for a faulty channel. */
export function planOrdinary(options: PlanOptions, share: Share): Plan {
  return planOf(customersOf(ORDINARY, share, ORDINARY_SECOND + options.round * share.customers), options);
}

/** Returns customers of an outcome, from the `first`th number that has it. */
function customersOf(name: string, share: Share, first: number): PlannedCustomer[] {
  const expected = expectedRows().find((row) => row.name === name);
  if (!expected) throw new Error(`The simulator has no outcome ${name}`);
  return Array.from({ length: share.customers }, (_, index) => ({
    expected,
    handle: handleOf(expected, first + index),
    messages: share.messages,
  }));
}

interface PlannedCustomer {
  readonly expected: ExpectedRow;
  readonly handle: string;
  readonly messages: number;
}

function planOf(customers: readonly PlannedCustomer[], { channelId, contents }: PlanOptions): Plan {
  const turns = Math.max(...customers.map(({ messages }) => messages));
  const planned: Planned[] = [];
  for (let turn = 0; turn < turns; turn++) {
    for (const { expected, handle } of shuffled(customers.filter(({ messages }) => messages > turn))) {
      const content = contents[planned.length % contents.length]?.(`Message ${planned.length}`);
      const message = {
        client_message_id: randomUUID(),
        channel_id: channelId,
        to: { kind: "whatsapp", handle },
        ...content,
      };
      planned.push({ message, expected });
    }
  }
  return { handles: customers.map(({ handle }) => handle), planned };
}

const ORDINARY = "read";
const ORDINARY_MESSAGES = 10;
/** Numbers of ordinary customers on the second channel start here. */
const ORDINARY_SECOND = 50_000;
const PREFIX = "4915";
const ORDINARY_BLOCK = 100;
const SPECIAL_BLOCK = 101;

/** Returns the `index`th number with this outcome. */
function handleOf({ name, suffix }: ExpectedRow, index: number): string {
  if (name === ORDINARY) return `${PREFIX}${ORDINARY_BLOCK}${String(index).padStart(5, "0")}`;
  return `${PREFIX}${SPECIAL_BLOCK + index}${suffix}`;
}

/** Eventually every outcome meets every moment of a round. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
