import type { Bench, Case } from "./case";
import { type LoadResult, wrongOf } from "./load";
import type { PasswordJob, PasswordResult } from "./sign-ins";
import type { RunningWorker } from "./start-worker";
import { median } from "./statistics";
import type { BenchWaypost } from "./waypost";

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
  const load = () =>
    bench.load.run({
      url: `${waypost.url}/messages`,
      method: "POST",
      headers: waypost.headers,
      body: { kind: "newMessages", handles: waypost.handles },
      connections: CONNECTIONS,
      statusExpected: 201,
      seconds,
    });
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
  const timesOf = (results: readonly LoadResult[]) => ({
    p50: median(results.map(({ p50Ms }) => p50Ms ?? NaN)),
    p99: median(results.map(({ p99Ms }) => p99Ms ?? NaN)),
  });
  const [one, two, three] = [timesOf(alone), timesOf(signIns), timesOf(elsewhere)];
  const hashed = statuses.reduce((sum, each) => sum + (each[WRONG_PASSWORD] ?? 0), 0);
  return {
    requests: signIns.reduce((sum, { requests }) => sum + requests, 0),
    requestsPerSecond: median(signIns.map(({ requestsPerSecond }) => requestsPerSecond)),
    p50Ms: two.p50,
    p99Ms: two.p99,
    wrong: wrongOf([...alone, ...signIns, ...elsewhere]),
    facts: [
      { name: "p50 alone, ms", value: one.p50 },
      { name: "p99 alone, ms", value: one.p99 },
      { name: "p50 beside the sign-ins, ms", value: two.p50 },
      { name: "p99 beside the sign-ins, ms", value: two.p99 },
      { name: "p50 beside the same hashing elsewhere, ms", value: three.p50 },
      { name: "p99 beside the same hashing elsewhere, ms", value: three.p99 },
      { name: "p50 beside the sign-ins, as a multiple of alone", value: two.p50 / one.p50 },
      { name: "p99 beside the sign-ins, as a multiple of alone", value: two.p99 / one.p99 },
      { name: "p50 beside the sign-ins, as a multiple of elsewhere", value: two.p50 / three.p50 },
      { name: "p99 beside the sign-ins, as a multiple of elsewhere", value: two.p99 / three.p99 },
      { name: `sign-ins hashed, of ${SIGN_INS * statuses.length}`, value: hashed },
    ],
  };
}
