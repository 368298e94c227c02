import { randomUUID } from "node:crypto";
import { type ExpectedRow, expectedRows } from "@/e2e/outcomes/expected";
import type { OutgoingMessage } from "./clients";

/** How many customers of an outcome there are in a round, and how many messages each is sent. */
export interface Share {
  readonly customers: number;
  readonly messages: number;
}

/**
 * What a round is made of beside ordinary customers, by the simulator's names of outcomes: each comes to an end of its
 * own, or stays in doubt. One message each where the outcome keeps the customer from being written to again.
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
  window_closed_later: { customers: 3, messages: 1 },
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

/** A message of a round, and what has to become of it. */
export interface Planned {
  readonly message: OutgoingMessage;
  readonly expected: ExpectedRow;
}

export interface Plan {
  /** Everyone who is written to. */
  readonly handles: readonly string[];
  /** In the order in which they are sent: outcomes side by side. */
  readonly planned: readonly Planned[];
}

/** What a message says, for each type: `{ type, … }` as `POST /messages` takes it. */
export type Contents = readonly ((text: string) => Readonly<Record<string, unknown>>)[];

/** Where the messages of a plan go: numbers of round `round`, from 0, that no other round has. */
export interface PlanOptions {
  readonly round: number;
  readonly channelId: string;
  readonly contents: Contents;
}

/** Messages of all outcomes, as they are sent in one round, most of them to `ordinaryCustomers`, ten to each. */
export function planRound(options: PlanOptions, ordinaryCustomers: number): Plan {
  const { round } = options;
  const special = Object.entries<Share>(MIX).flatMap(([name, share]) =>
    customersOf(name, share, round * share.customers),
  );
  const share = { customers: ordinaryCustomers, messages: ORDINARY_MESSAGES };
  return planOf([...customersOf(ORDINARY, share, round * ordinaryCustomers), ...special], options);
}

/** Messages to ordinary customers, for a channel that has trouble of its own. */
export function planOrdinary(options: PlanOptions, share: Share): Plan {
  return planOf(customersOf(ORDINARY, share, ORDINARY_SECOND + options.round * share.customers), options);
}

/** Those of an outcome, from the `first`th number that has it. */
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
/** Ordinary customers of the second channel begin here. */
const ORDINARY_SECOND = 50_000;
const PREFIX = "4915";
const ORDINARY_BLOCK = 100;
const SPECIAL_BLOCK = 101;

/** The `index`th number that has this outcome. */
function handleOf({ name, suffix }: ExpectedRow, index: number): string {
  if (name === ORDINARY) return `${PREFIX}${ORDINARY_BLOCK}${String(index).padStart(5, "0")}`;
  return `${PREFIX}${SPECIAL_BLOCK + index}${suffix}`;
}

/** Every outcome meets every moment of a round sooner or later. */
function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
