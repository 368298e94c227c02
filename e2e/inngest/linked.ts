import { createClosers } from "@/server/lib/closers";
import { z } from "zod";
import { type PassingCall, startProxy } from "@/e2e/support/proxy";
import type { EngineUnderTest } from "./scenarios";
import { type InngestServer, openInngestServer } from "./server";
import { openJobsWorld } from "./world";

/** Waypost's processes and an Inngest server, each reaching the other through a proxy that the test controls. */
export interface LinkedEngine extends EngineUnderTest {
  readonly server: InngestServer;
  /** Cuts both directions, or restores them. */
  setAway(isAway: boolean): void;
  /** `kill -9`; an external server is cut off instead. */
  kill(): Promise<void>;
  /** Undoes it. */
  revive(): Promise<void>;
  /** The URL at which the server calls the processes that run jobs. */
  readonly callsUrl: string;
  readonly seen: Seen;
}

/** Calls that passed since the last reset. */
export interface Seen {
  events: number;
  registrations: number;
  /** Maximum concurrent runs of one function for one channel. */
  runsAtOnceMax: number;
  runs: number;
}

const SENT = { ids: [], status: 200 };

export interface LinkOptions {
  /** How many processes run jobs. */
  readonly jobsProcesses?: number;
}

export async function openLinkedEngine({ jobsProcesses = 2 }: LinkOptions = {}): Promise<LinkedEngine> {
  const closers = createClosers();
  const seen: Seen = { events: 0, registrations: 0, runsAtOnceMax: 0, runs: 0 };
  const losses = { isLosing: false };
  let jobsUrls: readonly string[] = [];
  try {
    const server = await openInngestServer();
    closers.add(server.stop);
    const answerFor = ({ path }: PassingCall) => countCall(seen, path, losses.isLosing);
    const toServer = await startProxy({ targets: () => [server.url], answerFor });
    closers.add(toServer.close);
    const toWaypost = await startProxy({ targets: () => jobsUrls, passing: countRuns(seen) });
    closers.add(toWaypost.close);
    const env = {
      INNGEST_BASE_URL: toServer.url,
      INNGEST_EVENT_KEY: server.eventKey,
      INNGEST_SIGNING_KEY: server.signingKey,
      INNGEST_SERVE_ORIGIN: toWaypost.url,
    };
    const started = (jobs: readonly { baseUrl: string }[]) => (jobsUrls = jobs.map(({ baseUrl }) => baseUrl));
    const world = await openJobsWorld({ env, started, jobsProcesses });
    closers.add(world.close);
    const setAway = (isAway: boolean) => [toServer, toWaypost].forEach((proxy) => proxy.setAway(isAway));
    return {
      world,
      server,
      seen,
      callsUrl: toWaypost.url,
      setAway,
      kill: server.kill9 ?? (async () => setAway(true)),
      async revive() {
        await server.start();
        setAway(false);
      },
      async losingSignals(act) {
        losses.isLosing = true;
        try {
          return await act();
        } finally {
          losses.isLosing = false;
        }
      },
      close: closers.closeAll,
    };
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

/** The response in place of the server's for a lost event. */
function countCall(seen: Seen, path: string, isLosing: boolean): object | null {
  if (path.startsWith("/fn/register")) seen.registrations += 1;
  if (!path.startsWith("/e/")) return null;
  seen.events += 1;
  return isLosing ? SENT : null;
}

const runSchema = z.object({ event: z.object({ data: z.object({ channelId: z.string() }) }) });

/** For functions that work for one channel. */
function countRuns(seen: Seen): (call: PassingCall) => () => void {
  const running = new Map<string, number>();
  return ({ path, body }) => {
    const event = runSchema.safeParse(JSON.parse(body.toString() || "null")).data?.event;
    if (event === undefined) return () => undefined;
    const name = `${path} ${event.data.channelId}`;
    const now = (running.get(name) ?? 0) + 1;
    running.set(name, now);
    seen.runs += 1;
    seen.runsAtOnceMax = Math.max(seen.runsAtOnceMax, now);
    return () => void running.set(name, (running.get(name) ?? 1) - 1);
  };
}
