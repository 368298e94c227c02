import { startBareBridge } from "./bare-bridge";
import { type LoadJob, type LoadResult, putLoad } from "./load";
import { type PacedMessages, type PaceJob, sendPaced } from "./pace";
import { type Arrivals, startReceiver } from "./receiver";
import { loadPasswords, type PasswordJob, type PasswordResult } from "./sign-ins";
import { openPostgresAlone, type RowsJob } from "./postgres-alone";

/** Jobs and results of each kind of worker process. */
export interface WorkerCalls {
  readonly load: { readonly job: LoadJob; readonly result: LoadResult };
  readonly pace: { readonly job: PaceJob; readonly result: PacedMessages };
  /** Returns its URL, and the webhooks since the last request. */
  readonly receiver: { readonly job: Readonly<Record<string, never>>; readonly result: Arrivals };
  /** Returns its URL. */
  readonly bridge: { readonly job: Readonly<Record<string, never>>; readonly result: string };
  readonly passwords: { readonly job: PasswordJob; readonly result: PasswordResult };
  readonly postgres: { readonly job: RowsJob; readonly result: LoadResult };
}

export type WorkerKind = keyof WorkerCalls;
export type WorkerMessage = { readonly result: unknown } | { readonly error: string };

interface Worker<Job, Result> {
  run(job: Job): Promise<Result>;
  close(): Promise<void>;
}

const nothingToClose = async () => undefined;

const WORKERS = {
  load: serving("load", async () => ({ run: putLoad, close: nothingToClose })),
  pace: serving("pace", async () => ({ run: sendPaced, close: nothingToClose })),
  receiver: serving("receiver", async () => {
    const { take, close } = await startReceiver();
    return { run: take, close };
  }),
  bridge: serving("bridge", async () => {
    const { url, close } = await startBareBridge();
    return { run: async () => url, close };
  }),
  passwords: serving("passwords", async () => ({ run: loadPasswords, close: nothingToClose })),
  postgres: serving("postgres", openPostgresAlone),
} as const satisfies Record<WorkerKind, unknown>;

/** A worker as its process sees it: jobs come in, results go out. */
function serving<K extends WorkerKind>(
  kind: K,
  open: (appRoot: string) => Promise<Worker<WorkerCalls[K]["job"], WorkerCalls[K]["result"]>>,
): (appRoot: string) => Promise<Worker<unknown, unknown>> {
  return async (appRoot) => {
    const { run, close } = await open(appRoot);
    return { run: (job) => run(asJob(kind, job)), close };
  };
}

/** Serves jobs of the parent process until it disconnects. */
async function serve({ run, close }: Worker<unknown, unknown>): Promise<void> {
  const answer = (message: WorkerMessage) => process.send?.(message);
  process.on("message", (job) => {
    run(job).then(
      (result) => answer({ result }),
      (error: unknown) =>
        answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  const end = () => void close().finally(() => process.exit(0));
  process.once("disconnect", end);
  if (!process.connected) return end();
  answer({ result: null });
}

/** Guarantee: only `startWorker` talks to this process, and its types pair kinds with jobs. */
function asJob<K extends WorkerKind>(_kind: K, job: unknown): WorkerCalls[K]["job"] {
  return job as WorkerCalls[K]["job"];
}

function isKind(text: string | undefined): text is WorkerKind {
  return text !== undefined && Object.hasOwn(WORKERS, text);
}

const [, , kind, appRoot = ""] = process.argv;
if (!isKind(kind)) throw new Error(`There is no worker of the kind ${kind}`);
// Ctrl-C and a closed terminal signal every process; the bench ends its workers itself.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
await serve(await WORKERS[kind](appRoot));
