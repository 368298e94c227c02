import type { Bench, Case } from "./case";
import { type LoadResult, summaryOf, wrongOf } from "./load";
import type { PasswordJob, PasswordResult } from "./sign-ins";
import type { RunningWorker } from "./start-worker";
import { type BenchWaypost, newMessagesLoad } from "./waypost";

const SIGN_INS = 200;
const CONNECTIONS = 8;
/** Each is measured in turn, so that other work on the machine affects all equally. */
const TURNS = 3;
/** The response to a sign-in whose password was hashed. */
const WRONG_PASSWORD = "401";

/** Measures new messages during a flood of anonymous sign-ins, and during the same hashing in another process. */
export const SIGN_INS_CASE = {
  title: `POST /messages, new, beside ${SIGN_INS} anonymous sign-ins`,
  isPaced: true,
  isOnce: true,
  isExtra: true,
  async open(bench) {
    const waypost = await bench.waypost();
    const worker = await bench.startWorker("passwords");
    return {
      measure: (seconds) => measureBeside(bench, waypost, worker, seconds),
      settle: waypost.settle,
    };
  },
} as const satisfies Case;

async function measureBeside(
  bench: Bench,
  waypost: BenchWaypost,
  worker: RunningWorker<"passwords">,
  seconds: number,
): Promise<LoadResult> {
  const load = () => bench.load.run({ ...newMessagesLoad(waypost, CONNECTIONS), seconds });
  const beside = async (job: PasswordJob) => {
    const [result, statuses] = await Promise.all([load(), worker.run(job)]);
    await waypost.settle();
    return { result, statuses };
  };
  const { baseUrl } = waypost.server;
  const alone: LoadResult[] = [];
  const signIns: LoadResult[] = [];
  const elsewhere: LoadResult[] = [];
  const statuses: PasswordResult[] = [];
  await load();
  await waypost.settle();
  for (let turn = 0; turn < TURNS; turn += 1) {
    alone.push(await load());
    await waypost.settle();
    const flooded = await beside({ kind: "sign-ins", baseUrl, count: SIGN_INS, seconds });
    signIns.push(flooded.result);
    statuses.push(flooded.statuses);
    // As many as the server has hashed: it refused the rest.
    const count = flooded.statuses[WRONG_PASSWORD] ?? 0;
    elsewhere.push((await beside({ kind: "hashing", count, seconds })).result);
  }
  return resultOf({ alone, signIns, elsewhere, statuses });
}

interface Measured {
  readonly alone: readonly LoadResult[];
  readonly signIns: readonly LoadResult[];
  readonly elsewhere: readonly LoadResult[];
  readonly statuses: readonly PasswordResult[];
}

function resultOf({ alone, signIns, elsewhere, statuses }: Measured): LoadResult {
  const [one, two, three] = [summaryOf(alone), summaryOf(signIns), summaryOf(elsewhere)];
  const hashed = statuses.reduce((sum, each) => sum + (each[WRONG_PASSWORD] ?? 0), 0);
  return {
    ...two,
    wrong: wrongOf([...alone, ...signIns, ...elsewhere]),
    facts: [
      { name: "p50 alone, ms", value: one.p50Ms },
      { name: "p99 alone, ms", value: one.p99Ms },
      { name: "p50 beside the sign-ins, ms", value: two.p50Ms },
      { name: "p99 beside the sign-ins, ms", value: two.p99Ms },
      { name: "p50 beside the same hashing elsewhere, ms", value: three.p50Ms },
      { name: "p99 beside the same hashing elsewhere, ms", value: three.p99Ms },
      { name: "p50 beside the sign-ins, as a multiple of alone", value: two.p50Ms / one.p50Ms },
      { name: "p99 beside the sign-ins, as a multiple of alone", value: two.p99Ms / one.p99Ms },
      { name: "p50 beside the sign-ins, as a multiple of elsewhere", value: two.p50Ms / three.p50Ms },
      { name: "p99 beside the sign-ins, as a multiple of elsewhere", value: two.p99Ms / three.p99Ms },
      { name: `sign-ins hashed, of ${SIGN_INS * statuses.length}`, value: hashed },
    ],
  };
}
