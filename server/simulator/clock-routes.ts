import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { aheadMaxMs } from "./clock";
import { readInput, sendControlError, sendJson } from "./http";
import type { SimulatorContext } from "./simulator-context";

const DURATION = /^(?=\d)(?:(\d{1,4})d)?(?:(\d{1,5})h)?(?:(\d{1,6})m)?(?:(\d{1,7})s)?$/;
const secondsOfUnits = [86_400, 3_600, 60, 1];
const advanceMaxSeconds = 90 * 86_400;
const durationRule = "expected a duration from 1s to 90d, such as 30s, 15m, 12h, 3d or 1d12h";

/** A duration such as `1d12h`, in milliseconds. */
const duration = z.string().transform((text, { addIssue }) => {
  const parts = DURATION.exec(text)?.slice(1) ?? [];
  const seconds = secondsOfUnits.reduce((sum, size, place) => sum + size * Number(parts[place] ?? 0), 0);
  if (seconds >= 1 && seconds <= advanceMaxSeconds) return seconds * 1000;
  addIssue({ code: "custom", message: durationRule });
  return z.NEVER;
});

const advanceSchema = z.strictObject({ advance: duration });

const followSchema = z.strictObject({
  id: z.string().min(1).max(64),
  name: z.string().min(1).max(200),
  ahead_ms: z.int().nonnegative().max(aheadMaxMs),
  answer: z.strictObject({ to_ms: z.int(), refusal: z.string().max(500).nullable() }).nullable(),
});

/** `GET /clock`: the simulator's time, by how much it is ahead, and the programs that follow it. */
export function getClock(context: SimulatorContext, response: ServerResponse): void {
  const { clock, followers } = context;
  sendJson(response, 200, {
    now: clock.now().toISOString(),
    ahead_seconds: Math.round(clock.aheadMs / 1000),
    followers: followers.names,
  });
}

/**
 * `POST /clock`: moves the time forward, of all followers and of the simulator. Callbacks that are due by then are sent
 * immediately. 409 if a follower refuses, because it serves a real number for example, or another move is in progress;
 * nothing has moved then. 504 if a follower doesn't answer; the message says whether the clock has moved.
 */
export async function postClock(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const input = await readInput(advanceSchema, request, response);
  if (input === null) return;
  const target = context.followers.aheadMs + input.advance;
  if (target > aheadMaxMs)
    return sendControlError(response, 400, "advance: the clock can be ten years ahead at most", "advance");
  const result = await context.followers.move(target);
  if (result.kind === "moved") return getClock(context, response);
  if (result.kind === "busy") return sendControlError(response, 409, "the clock is being moved already");
  const { kind, follower, reason } = result;
  const what = kind === "late" ? "the clock was moved, but" : "the clock was not moved:";
  sendControlError(response, kind === "refused" ? 409 : 504, `${what} ${follower}: ${reason}`);
}

/** `POST /clock/follow`: a program keeps this request open, so that its clock moves together with the simulator's. */
export async function followClock(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const report = await readInput(followSchema, request, response);
  if (report === null) return;
  const left = new AbortController();
  response.once("close", () => left.abort());
  sendJson(response, 200, await context.followers.follow(report, left.signal));
}
