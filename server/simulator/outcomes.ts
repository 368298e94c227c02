import { commonOutcomes, failedCallOutcomes, lostAnswerOutcomes } from "./answer-outcomes";
import { deliveryOutcomes } from "./delivery-outcomes";
import {
  type Outcome,
  type OutcomeRow,
  wholeLife,
  type OutcomeBehaviour,
  type PlannedStatus,
} from "./outcome-row";
import {
  documentedError,
  documentedErrorNames,
  type DocumentedErrorName,
  type DocumentedErrorRow,
} from "./graph-errors";

/** One way in which all or some of the documented errors can occur. */
interface ErrorFamily {
  /** The three digits before the error's own two. */
  readonly prefix: string;
  readonly group: string;
  /** Name of the outcome. `*` stands for the error's name. */
  readonly name: string;
  /** Sentence for the documentation. `*` stands for the error. */
  readonly description: string;
  includes(row: DocumentedErrorRow): boolean;
  behaviour(error: DocumentedErrorName): OutcomeBehaviour;
}

const accepted = (statuses: readonly PlannedStatus[]): OutcomeBehaviour => ({
  kind: "accept",
  answer: "message_id",
  statuses,
});

const refusedFirst =
  (times: number) =>
  (error: DocumentedErrorName): OutcomeBehaviour => ({
    kind: "accept",
    refusedFirst: { error, times },
    answer: "message_id",
    statuses: wholeLife,
  });

const families: readonly ErrorFamily[] = [
  {
    prefix: "991",
    group: "Refused at every call",
    name: "refused_*",
    description: "Every call is refused with *.",
    includes: () => true,
    behaviour: (error) => ({ kind: "refuse", error }),
  },
  {
    prefix: "992",
    group: "Accepted, then failed",
    name: "fails_*",
    description: "The message is accepted and then fails with *.",
    includes: ({ comesLater }) => comesLater,
    behaviour: (error) => accepted([{ status: "failed", afterMs: 150, error }]),
  },
  {
    prefix: "993",
    group: "Accepted, then failed, reported by the message id only",
    name: "fails_unnamed_*",
    description: "The message is accepted and then fails with *, without biz_opaque_callback_data.",
    includes: ({ comesLater }) => comesLater,
    behaviour: (error) => accepted([{ status: "failed", afterMs: 150, error, isUnnamed: true }]),
  },
  {
    prefix: "994",
    group: "Refused once, then accepted",
    name: "refused_once_*",
    description: "The first call is refused with *; the next one is accepted.",
    includes: ({ passes }) => passes,
    behaviour: refusedFirst(1),
  },
  {
    prefix: "995",
    group: "Refused twice, then accepted",
    name: "refused_twice_*",
    description: "The first two calls are refused with *; the third one is accepted.",
    includes: ({ passes }) => passes,
    behaviour: refusedFirst(2),
  },
  {
    prefix: "996",
    group: "Refused three times, then accepted",
    name: "refused_thrice_*",
    description: "The first three calls are refused with *; the fourth one is accepted.",
    includes: ({ passes }) => passes,
    behaviour: refusedFirst(3),
  },
];

/**
 * The documented errors in every way in which they can occur. `suffix` consists of the family's three digits and the
 * error's two.
 */
const errorOutcomes: readonly Outcome[] = families.flatMap((family) =>
  documentedErrorNames()
    .filter((error) => family.includes(documentedError(error)))
    .map((error) => outcomeOf(family, error)),
);

function outcomeOf(family: ErrorFamily, error: DocumentedErrorName): Outcome {
  const { code, title, digits } = documentedError(error);
  return {
    name: family.name.replace("*", error),
    group: family.group,
    suffix: `${family.prefix}${digits}`,
    description: family.description.replace("*", () => `${code}, ${title}`),
    behaviour: family.behaviour(error),
  };
}

const groups = [
  { group: "Delivery", rows: deliveryOutcomes },
  { group: "Common refusals and failures", rows: commonOutcomes },
  { group: "Accepted, response lost", rows: lostAnswerOutcomes },
  { group: "Not accepted, no clear response", rows: failedCallOutcomes },
] as const satisfies readonly { group: string; rows: Readonly<Record<string, OutcomeRow>> }[];

/**
 * Outcomes of a message, by the recipient's last five digits: `{ name, group, suffix, description, behaviour }` in the
 * documentation's order. `suffix` is null for the one outcome of all other recipients.
 */
export const outcomes: readonly Outcome[] = [
  ...groups.flatMap(({ group, rows }) =>
    Object.entries<OutcomeRow>(rows).map(([name, row]) => ({ name, group, ...row })),
  ),
  ...errorOutcomes,
];

const suffixLength = 5;
const ordinary: Outcome = { name: "read", group: groups[0].group, ...deliveryOutcomes.read };
const bySuffix = new Map(outcomes.map((outcome) => [outcome.suffix, outcome]));
const byName = new Map(outcomes.map((outcome) => [outcome.name, outcome]));

/** Returns the outcome for a recipient: a number in digits, or WhatsApp's id of a person. */
export function outcomeFor(recipient: string): Outcome {
  return bySuffix.get(recipient.slice(-suffixLength)) ?? ordinary;
}

/** Null for a name that this version doesn't know. */
export function outcomeNamed(name: string): Outcome | null {
  return byName.get(name) ?? null;
}
