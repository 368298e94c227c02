import { acquireDataDirectory, DataDirectoryInUse, startEmbeddedPostgres } from "@/db/embedded";
import type { EmbeddedConnection, EmbeddedLog, OwnerKind, RunFile } from "@/db/embedded";

/** The task of the process. Its only argument, as JSON. */
export interface OwnerOrder {
  dataDir: string;
  kind: OwnerKind;
  waitMs?: number;
  /** Whether to run PostgreSQL, too. */
  runs: boolean;
  settings?: Record<string, string>;
}

/** The reports of the process, one JSON object per line. */
export type OwnerEvent =
  | { event: "owned" }
  | { event: "running"; connection: EmbeddedConnection; pid: number | null }
  | { event: "down" }
  | { event: "up"; pid: number | null }
  | { event: "refused"; name: string; message: string; owner: RunFile | null }
  | { event: "stopped" }
  | { event: "log"; level: "info" | "warn" | "error"; message: string };

const report = (event: OwnerEvent) => void process.stdout.write(`${JSON.stringify(event)}\n`);
const say = (level: "info" | "warn" | "error") => (_: object, message: string) =>
  report({ event: "log", level, message });
const log: EmbeddedLog = { info: say("info"), warn: say("warn"), error: say("error") };

/** A process that owns a data directory until it receives SIGTERM, or its parent ends. */
async function main({ dataDir, kind, waitMs, runs, settings }: OwnerOrder): Promise<void> {
  const ownership = await acquireDataDirectory(dataDir, { kind, waitMs });
  report({ event: "owned" });
  const server = runs ? await start() : null;
  const stop = async () => {
    await server?.stop();
    await ownership.release();
    report({ event: "stopped" });
    process.exit(0);
  };
  process.on("SIGTERM", () => void stop());
  process.on("SIGINT", () => say("info")({}, "SIGINT"));
  process.stdin.on("end", () => void stop()).resume();
  if (server) report({ event: "running", connection: server.connection, pid: server.pid() });

  function start() {
    const onDown = () => report({ event: "down" });
    const onUp = () => report({ event: "up", pid: server?.pid() ?? null });
    return startEmbeddedPostgres({ dataDir, log, onDown, onUp, settings });
  }
}

main(JSON.parse(process.argv[2] ?? "{}") as OwnerOrder).catch((error: unknown) => {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  report({
    event: "refused",
    name,
    message,
    owner: error instanceof DataDirectoryInUse ? error.owner : null,
  });
  process.exitCode = 1;
});
