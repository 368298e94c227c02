import { type Figures, figuresOf, wrongEnds } from "./figures";
import type { KilledRound, Stage } from "./round";
import { reportedOf, type WebhookFigures } from "./reported";

export interface PlayOptions<P> {
  readonly rounds: readonly P[];
  /**
   * False begins a round as soon as the clients of the one before have got all accepted, so that it hits a system that
   * still recovers, and ends while doubts are still open. True waits for each round, and for the end of every doubt.
   */
  readonly isEachSettled: boolean;
  /** Called for every round when it is counted. */
  readonly reported: (figures: Figures) => void;
}

export interface RoundsReport {
  readonly rounds: readonly Figures[];
  /** Messages that didn't end as the upstream's outcome says, and calls too many, in words. */
  readonly wrongEnds: readonly string[];
  /** State changes that webhooks didn't report, or reported wrongly or too late, in words. */
  readonly wrongReports: readonly string[];
  readonly webhooks: WebhookFigures;
  /** What the servers said on standard error at the end, for whoever looks for a cause. */
  readonly output: string;
}

/** Plays the rounds one after another, and counts what became of their messages. */
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
