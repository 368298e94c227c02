import type { Inspection } from "./message-panel";

type Entry = Inspection["timeline"][number];
type Attempt = Extract<Entry, { kind: "attempt" }>;
type Event = Extract<Entry, { ofAttempt: unknown }>;

/** One item of the timeline: attempts with the event that their response caused, or an event of another source. */
export type Step = AttemptsStep | OtherStep;

interface AttemptsStep {
  readonly kind: "attempts";
  /** The same with and without details, and when the step gets more attempts. */
  readonly key: string;
  readonly attempts: readonly [Attempt, ...Attempt[]];
  readonly event?: Event;
}

interface OtherStep {
  readonly kind: "other";
  /** The same with and without details. */
  readonly key: string;
  readonly entry: Exclude<Entry, Attempt>;
}

/**
 * Joins each attempt with its event. Unless details are shown, leaves out reports that changed nothing, and joins
 * successive attempts that were not sent for the same reason.
 */
export function stepsOf(entries: readonly Entry[], isDetailed: boolean): readonly Step[] {
  const numbers = new Set(entries.flatMap((entry) => (entry.kind === "attempt" ? [entry.number] : [])));
  const steps: Step[] = [];
  for (const [place, entry] of entries.entries()) {
    if (entry.kind === "attempt") {
      const event = entries.find((other) => "ofAttempt" in other && other.ofAttempt === entry.number);
      addAttempt(steps, entry, event as Event | undefined, isDetailed);
      continue;
    }
    const isJoined = "ofAttempt" in entry && entry.ofAttempt !== null && numbers.has(entry.ofAttempt);
    const isHidden = !isDetailed && "isNews" in entry && !entry.isNews;
    if (!isJoined && !isHidden)
      steps.push({ kind: "other", key: keyOf(entry, entries.slice(0, place)), entry });
  }
  return steps;
}

/** Several reports of one kind can come at the same moment. */
function keyOf({ kind, at }: Entry, before: readonly Entry[]): string {
  const time = new Date(at).getTime();
  const alike = before.filter((other) => other.kind === kind && new Date(other.at).getTime() === time);
  return `${kind} ${time} ${alike.length}`;
}

function addAttempt(steps: Step[], attempt: Attempt, event: Event | undefined, isDetailed: boolean): void {
  const last = steps.at(-1);
  const isRun =
    !isDetailed && last?.kind === "attempts" && last.attempts.every((other) => isAlike(other, attempt));
  const attempts = isRun ? ([...last.attempts, attempt] as const) : ([attempt] as const);
  if (isRun) steps.pop();
  const key = `attempt ${attempts[0].number}`;
  steps.push({ kind: "attempts", key, attempts, ...(event === undefined ? {} : { event }) });
}

/** Returns true for two attempts that will be retried for the same reason. */
function isAlike(one: Attempt, other: Attempt): boolean {
  if (one.outcome !== "retry" || other.outcome !== "retry") return false;
  return one.said.code === null
    ? other.said.code === null && one.said.words === other.said.words
    : one.said.code === other.said.code;
}
