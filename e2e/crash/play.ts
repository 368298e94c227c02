import { type Figures, figuresOf, wrongEnds } from "./figures";
import type { KilledRound, Stage } from "./round";
import { reportedOf, type WebhookFigures } from "./reported";

export interface PlayOptions<P> {
  readonly rounds: readonly P[];
  /**
   * False starts a round as soon as the clients of the previous one have all messages accepted, so that it hits a
   * system that is still recovering, and ends while doubts are still open. True waits for each round, and for the end
   * of every doubt.
   */
  readonly isEachSettled: boolean;
  /** Called for every counted round. */
  readonly reported: (figures: Figures) => void;
}

export interface RoundsReport {
  readonly rounds: readonly Figures[];
  /** Descriptions of messages that didn't end as the upstream's outcome says, and of excess calls. */
  readonly wrongEnds: readonly string[];
  /** Descriptions of state changes that webhooks didn't report, or reported wrongly or too late. */
  readonly wrongReports: readonly string[];
  readonly webhooks: WebhookFigures;
  /** The servers' last output on standard error, for finding a cause. */
  readonly output: string;
}

/** Plays the rounds one after another, and counts the outcomes of their messages. */
export async function play<P>(
  stage: Stage,
  { rounds, isEachSettled, reported }: PlayOptions<P>,
  kill: (plan: P, number: number) => Promise<KilledRound & { close?(): Promise<void> }>,
): Promise<Omit<RoundsReport, "output">> {
  const killed: KilledRound[] = [];
  const figures: Figures[] = [];
  const count = async (round: KilledRound) => {
    const counted = await figuresOf(stage, round);
    figures.push(counted);
    reported(counted);
  };
  for (const [number, plan] of rounds.entries()) {
    const round = await kill(plan, number);
    killed.push(round);
    try {
      if (isEachSettled) await count(round);
    } finally {
      await round.close?.();
    }
  }
  if (!isEachSettled) for (const round of killed) await count(round);
  const ends = await wrongEnds(stage, killed, { isDoubtAnEnd: !isEachSettled });
  const webhooks = await reportedOf(stage, killed);
  return { rounds: figures, wrongEnds: ends, wrongReports: webhooks.wrong, webhooks: webhooks.figures };
}
