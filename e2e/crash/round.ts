import { failNumber } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import type { Waypost } from "@/e2e/support/waypost";
import { type Sending, startSending } from "./clients";
import { openCalls } from "./fate";
import { kindOf, type RoundPlan, type Victim } from "./kinds";
import { endLeasesOfKilled } from "./leases";
import { type Plan, planOrdinary, planRound, type Planned } from "./mix";
import { postmasterPid } from "./postmaster";
import type { CrashReceiver } from "./receiver";
import { customersWrite, newContents, type Shop } from "./shop";
import type { SimulatorProcess } from "@/e2e/support/simulator-process";
import type { Processes } from "./world";

/** Sends and counts messages of a round. */
export interface Stage {
  /** `server`: one that accepts requests now. */
  readonly processes: Pick<Processes, "sql" | "server">;
  readonly simulator: SimulatorProcess;
  readonly shop: Shop;
  /** Receives webhooks about all of the shop's messages. */
  readonly receiver: CrashReceiver;
}

/** The environment of a round. */
export interface Scene extends Stage {
  readonly processes: Processes;
}

/** A round whose processes were killed and restarted, and whose messages are all accepted. */
export interface KilledRound {
  readonly number: number;
  readonly plan: Omit<RoundPlan, "kind"> & { readonly kind: string };
  /** By `client_message_id`. */
  readonly planned: ReadonlyMap<string, Planned>;
  readonly sending: Sending;
  readonly killedProcesses: number;
  /** On the clock of `performance.now`: when the last process was restarted, or was killed for good. */
  readonly restartedAtMs: number;
}

/** The same if a second process may still run. */
export interface ClosableRound extends KilledRound {
  /** Stops it. */
  close(): Promise<void>;
}

const SECOND_SHARE = { customers: 10, messages: 2 };
/** One channel may use half of a process's 64, and fewer beside others. */
const FROZEN_CALLS = 28;
const HANDED_OVER_MIN = 20;

/** Sends, kills during that, restarts, and resolves when all messages are accepted. */
export async function killRound(scene: Scene, plan: RoundPlan, number: number): Promise<ClosableRound> {
  const { processes, simulator, receiver, shop } = scene;
  const { victims, hasSecond } = kindOf(plan.kind);
  const messages = await prepare(scene, plan, number);
  const attached = hasSecond ? await processes.attach() : null;
  const close = async () => void (await attached?.stop());
  try {
    const after = await lastAccepted(scene);
    const sending = startSending({
      baseUrls: [processes.server().baseUrl, ...(attached ? [attached.baseUrl] : [])],
      secret: shop.secret,
      messages: messages.map(({ message }) => message),
    });
    await untilInFlight(scene, plan, { sending, count: messages.length, after });
    await kill(processes, attached, victims);
    const killedAt = new Date();
    simulator.resume();
    receiver.letGo();
    if (plan.pausedBy !== null) await failNumber(simulator.url, shop.channels.second.phoneNumberId, null);
    if (victims.includes("owner")) await processes.restart();
    if (plan.areLeasesEnded) await endLeasesOfKilled(processes.sql, killedAt);
    const restartedAtMs = performance.now();
    await sending.done;
    const planned = new Map(messages.map((one) => [one.message.client_message_id, one]));
    const killedProcesses = victims.filter((victim) => victim !== "postgres").length;
    return { number, plan, planned, sending, killedProcesses, restartedAtMs, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates the messages of the round, and opens the windows of their recipients. */
export async function prepare(
  { processes, simulator, receiver, shop }: Stage,
  { pausedBy, ordinaryCustomers }: Pick<RoundPlan, "pausedBy" | "ordinaryCustomers">,
  round: number,
): Promise<readonly Planned[]> {
  const { main, second } = shop.channels;
  const contents = await newContents(shop, processes.server());
  const plans: [Plan, typeof main][] = [
    [planRound({ round, channelId: main.id, contents }, ordinaryCustomers), main],
  ];
  if (pausedBy !== null) {
    const options = { round, channelId: second.id, contents: contents.slice(0, 1) };
    plans.push([planOrdinary(options, SECOND_SHARE), second]);
    await failNumber(simulator.url, second.phoneNumberId, pausedBy);
  }
  receiver.keep();
  for (const [{ handles }, channel] of plans) {
    await customersWrite(processes.sql, simulator.url, channel, handles);
  }
  // The faulty channel first: it is paused before the kill.
  return plans.toReversed().flatMap(([{ planned }]) => planned);
}

export async function lastAccepted({ processes: { sql } }: Stage): Promise<number> {
  const [row] = await sql<{ last: number }[]>`select coalesce(max(accept_seq), 0) as last from messages`;
  return row?.last ?? 0;
}

/** Resolves when clients are sending and servers are handing over. */
export async function untilInFlight(
  { processes, simulator }: Stage,
  { acceptedPart, isUpstreamFrozen }: Pick<RoundPlan, "acceptedPart" | "isUpstreamFrozen">,
  { sending, count, after }: { sending: Sending; count: number; after: number },
): Promise<void> {
  const { sql } = processes;
  const isInFlight = async () => {
    if (sending.accepted.size < count * acceptedPart) return false;
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from messages where accept_seq > ${after} and state <> 'queued'`;
    return (row?.count ?? 0) >= HANDED_OVER_MIN;
  };
  const waiting = { intervalMs: 5 };
  await until("messages are handed upstream", isInFlight, waiting);
  if (!isUpstreamFrozen) return;
  simulator.freeze();
  const areOnTheirWay = async () => (await openCalls(sql)) >= FROZEN_CALLS;
  await until("the calls of many slots are on their way", areOnTheirWay, waiting);
}

async function kill(
  processes: Processes,
  attached: Waypost | null,
  victims: readonly Victim[],
): Promise<void> {
  const ended: Promise<void>[] = [];
  const postmaster = victims.includes("postgres") ? await postmasterPid(processes.dataDir) : null;
  if (postmaster !== null) process.kill(postmaster, "SIGKILL");
  if (victims.includes("owner")) ended.push(processes.server().kill9());
  if (victims.includes("attached") && attached) ended.push(attached.kill9());
  await Promise.all(ended);
}
