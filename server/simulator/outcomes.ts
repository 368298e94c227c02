import { commonOutcomes, failedCallOutcomes, lostAnswerOutcomes } from "./answer-outcomes";
import { deliveryOutcomes } from "./delivery-outcomes";
import { errorOutcomes } from "./error-outcomes";
import type { Outcome, OutcomeRow } from "./outcome-row";

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
