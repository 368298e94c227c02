/**
 * The target of `kill -9`: the server that owns the data directory, a second one attached to it, or PostgreSQL's
 * postmaster.
 */
export type Victim = "owner" | "attached" | "postgres";

interface Kind {
  /** All at the same time. */
  readonly victims: readonly Victim[];
  /** Whether a second process is attached to the server's database. */
  readonly hasSecond: boolean;
}

/** How a round's processes are killed, in the order in which rounds take turns. */
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

/** One round: which processes are killed, and when. */
export interface RoundPlan {
  readonly kind: KindName;
  /** Customers with ten successful messages each, beside a hundred whose messages fail in some way. */
  readonly ordinaryCustomers: number;
  /** Killed when this share of its messages has been accepted, 0 to 1. */
  readonly acceptedPart: number;
  /** Frozen before the kill, so that many calls are in flight, and resumed after it. */
  readonly isUpstreamFrozen: boolean;
  /** The fault of a number that pauses a second channel during the round, and ends with the restart; null for none. */
  readonly pausedBy: string | null;
  /** Leases of the killed processes end with the restart, not after a minute. For kinds that kill all processes. */
  readonly areLeasesEnded?: boolean;
}

/** Faults of a number that pause its channel until the number, read every minute, responds again. */
const FAULTS = ["payment_required", "account_locked", "number_not_registered", "permission_denied"] as const;

const ORDINARY_CUSTOMERS = 100;
const ACCEPTED_PARTS = [0.1, 0.3, 0.5, 0.7, 0.9] as const;

/** Plans that many rounds: all kinds in turn, each with and without a frozen upstream, killed sooner and later. */
export function planRounds(count: number): RoundPlan[] {
  return Array.from({ length: count }, (_, index) => {
    const kind = KIND_NAMES[index % KIND_NAMES.length] ?? "server";
    // The number of kinds is odd, so every kind gets both variants.
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
