import fc from "fast-check";
import { BASE_PATH } from "@/e2e/support/api";
import { acceptedOf, type Accepted } from "./accepted";
import { upstreamCalls } from "./callbacks";
import { type HostileCase, requestBytes } from "./case";
import { uploads } from "./files";
import { malformed, oddities, pipelined } from "./malformed";
import { createPlayer, type Played } from "./play";
import { headers, marks, reads, sends, signedIn, targets } from "./requests";
import type { HostileWorld } from "./world";

const CLIENTS = 16;
const SHOWN_BYTES_MAX = 1_500;

export interface Round {
  readonly seed: number;
  readonly cases: number;
}

export interface RoundOutcome {
  /** Number of responses by family and status. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly sentBytes: number;
  readonly accepted: readonly Accepted[];
  /** Each with its case, and how to replay the round. */
  readonly problems: readonly string[];
}

/** All kinds of cases for this world, weighted by how likely they are to find something. */
function casesOf(world: HostileWorld): fc.Arbitrary<HostileCase> {
  return fc.oneof(
    { weight: 40, arbitrary: sends(world) },
    { weight: 15, arbitrary: reads(world) },
    { weight: 5, arbitrary: marks(world) },
    { weight: 10, arbitrary: headers(world) },
    { weight: 10, arbitrary: targets(world) },
    { weight: 8, arbitrary: uploads(world) },
    { weight: 12, arbitrary: upstreamCalls(world) },
    { weight: 6, arbitrary: malformed(world) },
    { weight: 2, arbitrary: pipelined(world) },
    { weight: 4, arbitrary: oddities(world) },
  );
}

/** Plays the cases of a seed, several concurrently. The same seed and number give the same cases. */
export async function playRound(world: HostileWorld, { seed, cases }: Round): Promise<RoundOutcome> {
  const waiting = fc.sample(casesOf(world), { seed, numRuns: cases }).entries();
  const statuses = new Map<string, number>();
  const accepted: Accepted[] = [];
  const problems: string[] = [];
  let sentBytes = 0;
  const client = async () => {
    const player = createPlayer(world);
    for (const [index, one] of waiting) {
      const played = await player.play(one);
      for (const { status } of played.answers) {
        const name = `${one.family} ${status}`;
        statuses.set(name, (statuses.get(name) ?? 0) + 1);
      }
      for (const piece of one.pieces) sentBytes += piece.length;
      accepted.push(...acceptedOf(one, played));
      const found = [...played.problems, ...problemsOfGood(one, played)];
      if (found.length > 0) problems.push(describe({ seed, cases }, index, one, played, found));
    }
    player.close();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  const last = await createPlayer(world).play(goodRequest(world));
  problems.push(
    ...problemsOfGood(goodRequest(world), last).map(
      (problem) => `after the round of seed ${seed} ${problem}`,
    ),
  );
  return { statuses, sentBytes, accepted, problems };
}

function goodRequest(world: HostileWorld): HostileCase {
  const ping = { method: "GET", target: `${BASE_PATH}/ping` };
  const pieces = [requestBytes(ping, signedIn(world))];
  return { family: "a good request", pieces, requests: [ping], ending: "refused", mustBe: 200 };
}

function problemsOfGood({ mustBe, requests }: HostileCase, { answers }: Played): readonly string[] {
  if (mustBe === undefined) return [];
  const isEach = requests.every((_, index) => answers[index]?.status === mustBe);
  return isEach ? [] : [`a good request wasn't answered ${mustBe}`];
}

function describe(
  round: Round,
  index: number,
  one: HostileCase,
  played: Played,
  problems: readonly string[],
): string {
  const bytes = Buffer.concat(one.pieces);
  const answers = played.answers.map(({ status, text }) => `${status} ${text.slice(0, 400)}`);
  return [
    `case ${index} (${one.family}); again with HOSTILE_SEED=${round.seed} HOSTILE_CASES=${round.cases}`,
    ...problems.map((problem) => `  ${problem.slice(0, 600)}`),
    `  sent ${JSON.stringify(withoutKey(bytes.subarray(0, SHOWN_BYTES_MAX).toString("latin1")))}`,
    `  answered ${answers.join(" | ")}`,
  ].join("\n");
}

const withoutKey = (text: string) => text.replaceAll(/ak_live_\w+/g, "ak_live_…");
