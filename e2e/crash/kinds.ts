/** What `kill -9` hits: the server that owns the data directory, a second one attached to it, PostgreSQL's postmaster. */
export type Victim = "owner" | "attached" | "postgres";

interface Kind {
  /** All at once. */
  readonly victims: readonly Victim[];
  /** Whether a second process is attached to the server's database. */
  readonly hasSecond: boolean;
}

/** The ways in which a round's processes are killed, in the order in which rounds take turns. */
const KINDS = {
  server: { victims: ["owner"], hasSecond: false },
  PostgreSQL: { victims: ["postgres"], hasSecond: false },
  "server and PostgreSQL": { victims: ["owner", "postgres"], hasSecond: false },
  "second of two": { victims: ["attached"], hasSecond: true },
  "first of two": { victims: ["owner"], hasSecond: true },
  "PostgreSQL of two": { victims: ["postgres"], hasSecond: true },
  "both and PostgreSQL": { victims: ["owner", "attached", "postgres"], hasSecond: true },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

/** The keys of the table, which nothing extends, hence the cast. */
const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

export function kindOf(name: KindName): Kind {
  return KINDS[name];
}

/** One round: what is killed, and when. */
export interface RoundPlan {
  readonly kind: KindName;
  /** Customers whose ten messages each all go well, beside a hundred whose messages don't. */
  readonly ordinaryCustomers: number;
  /** Killed when this part of its messages has been accepted, 0 to 1. */
  readonly acceptedPart: number;
  /** Held up before the kill, so that the calls of many slots are on their way, and let go after it. */
  readonly isUpstreamFrozen: boolean;
  /** The fault of its number that pauses a second channel meanwhile, and ends with the restart; null for none. */
  readonly pausedBy: string | null;
  /** What the killed processes held ends with the restart, not after a minute. For a kind that kills all processes. */
  readonly areLeasesEnded?: boolean;
}

/** Faults of a number that pause its channel until the number, read every minute, answers again. */
const FAULTS = ["payment_required", "account_locked", "number_not_registered", "permission_denied"] as const;

const ORDINARY_CUSTOMERS = 100;
const ACCEPTED_PARTS = [0.1, 0.3, 0.5, 0.7, 0.9] as const;

/** So many rounds: all kinds in turn, each with and without a frozen upstream, killed sooner and later. */
export function planRounds(count: number): RoundPlan[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = KIND_NAMES[index % KIND_NAMES.length] ?? "server";
    // The number of kinds is odd: every kind comes in both ways.
    const isUpstreamFrozen = index % 2 === 0;
    const acceptedPart = ACCEPTED_PARTS[index % ACCEPTED_PARTS.length] ?? 0;
    return {
      kind,
      ordinaryCustomers: ORDINARY_CUSTOMERS,
      acceptedPart,
      isUpstreamFrozen,
      pausedBy: FAULTS[index % FAULTS.length] ?? null,
    };
  });
}
