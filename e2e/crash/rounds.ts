import { createClosers } from "@/server/closers";
import { type Figures, figuresOf, wrongEnds } from "./figures";
import type { RoundPlan } from "./kinds";
import { type ClosableRound, killRound, type Scene } from "./round";
import { openShop } from "./shop";
import { openProcesses } from "./world";

export interface RoundsOptions {
  readonly rounds: readonly RoundPlan[];
  /**
   * False begins a round as soon as the clients of the one before have got all accepted, so that it hits a system that
   * still recovers, and ends while doubts are still open. True waits for each round, and for the end of every doubt.
   */
  readonly isEachSettled: boolean;
  /** Told of every round as it is counted. */
  readonly told: (figures: Figures) => void;
}

export interface RoundsReport {
  readonly rounds: readonly Figures[];
  /** Messages that didn't end as the upstream's outcome says, and calls too many, in words. */
  readonly wrongEnds: readonly string[];
  /** What the servers said on standard error at the end, for whoever looks for a cause. */
  readonly output: string;
}

/** A doubt is given up after a minute, so that its end is seen. */
const ENV = { WAYPOST_UNCONFIRMED_AFTER_SECONDS: "60" };

/** Kills and starts a real server again, round by round, while clients send to every kind of recipient. */
export async function runRounds({ rounds, isEachSettled, told }: RoundsOptions): Promise<RoundsReport> {
  const closers = createClosers();
  try {
    const processes = await openProcesses({ ownSimulator: true, env: ENV });
    closers.add(processes.close);
    const { simulator } = processes;
    if (simulator === null) throw new Error("The simulator has no process of its own");
    const scene: Scene = { processes, simulator, shop: await openShop(processes.server()) };
    const killed: ClosableRound[] = [];
    const figures: Figures[] = [];
    const count = async (round: ClosableRound) => {
      const counted = await figuresOf(scene, round);
      figures.push(counted);
      told(counted);
    };
    for (const [number, plan] of rounds.entries()) {
      const round = await killRound(scene, plan, number);
      killed.push(round);
      try {
        if (isEachSettled) await count(round);
      } finally {
        await round.close();
      }
    }
    if (!isEachSettled) for (const round of killed) await count(round);
    const wrong = await wrongEnds(scene, killed, { isDoubtAnEnd: !isEachSettled });
    return { rounds: figures, wrongEnds: wrong, output: processes.server().output() };
  } finally {
    await closers.closeAll();
  }
}
