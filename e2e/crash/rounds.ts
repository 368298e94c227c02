import { createClosers } from "@/server/lib/closers";
import type { RoundPlan } from "./kinds";
import { play, type PlayOptions, type RoundsReport } from "./play";
import { startReceiver, faultsFor } from "./receiver";
import { killRound, type Scene } from "./round";
import { shortenSchedule } from "./schedule";
import { openShop } from "./shop";
import { openProcesses } from "./world";

/** A doubt is given up after a minute, so that the test sees its end. */
const ENV = { WAYPOST_UNCONFIRMED_AFTER_SECONDS: "60" };

/** Kills and restarts a real server, round by round, while clients send to every kind of recipient. */
export async function runRounds(options: PlayOptions<RoundPlan>): Promise<RoundsReport> {
  const closers = createClosers();
  try {
    const receiver = await closers.open(
      () => startReceiver(faultsFor(options)),
      (running) => running.close(),
    );
    const env = { ...ENV, ALLOWED_PRIVATE_HOSTS: receiver.host };
    const processes = await openProcesses({ ownSimulator: true, env });
    closers.add(processes.close);
    const { simulator } = processes;
    if (simulator === null) throw new Error("The simulator has no process of its own");
    await shortenSchedule(processes.sql);
    const scene: Scene = {
      processes,
      simulator,
      receiver,
      shop: await openShop(processes.server(), receiver),
    };
    const played = await play(scene, options, (plan, number) => killRound(scene, plan, number));
    return { ...played, output: processes.server().output() };
  } finally {
    await closers.closeAll();
  }
}
