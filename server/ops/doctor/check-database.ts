import { countMigrations } from "@/db/client";
import { fail, type Finding, ok, warn } from "./finding";
import type { Installation, UsableInstallation } from "./installation";
import { wordsOf } from "./statements";

const VERSION_MIN = 14;
const WHERE = {
  url: "that of DATABASE_URL",
  server: "that of the running server",
  own: "started for this command: no server runs",
} as const;

/** Checks whether the database responds, is one that Waypost supports, and has this program's schema. */
export async function checkDatabase({ config, database }: Installation): Promise<readonly Finding[]> {
  if (database.kind === "absent") {
    const remedy = "Start Waypost. The first start creates it.";
    return [warn("connection", `${config.dataDir} has no database yet`, remedy)];
  }
  if (database.kind === "unreachable") return [unreachable(database.reason, config.databaseUrl !== null)];
  try {
    const server = await askServer(database);
    return [server, ...(server.state === "ok" ? [await askMigrations(database, config.appRoot)] : [])];
  } catch (error) {
    return [unreachable(wordsOf(error), config.databaseUrl !== null)];
  }
}

function unreachable(reason: string, hasUrl: boolean): Finding {
  const remedy = hasUrl
    ? "Check that PostgreSQL is running and that DATABASE_URL has the right host, user and password."
    : "Check the log of Waypost's start.";
  return fail("connection", reason, remedy);
}

async function askServer({ sql, via }: UsableInstallation["database"]): Promise<Finding> {
  const [row] = await sql<{ version: string; number: number; isReadOnly: boolean }[]>`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      current_setting('transaction_read_only')::bool as "isReadOnly"`;
  if (!row) return fail("connection", "the database returned no rows", "Check its log.");
  const seen = `PostgreSQL ${row.version}, ${WHERE[via]}`;
  if (row.number < VERSION_MIN * 10_000) {
    return fail("connection", seen, `Waypost needs PostgreSQL ${VERSION_MIN} or newer.`);
  }
  if (row.isReadOnly) return fail("connection", `${seen}, read-only`, "Point DATABASE_URL at the primary.");
  return ok("connection", seen);
}

async function askMigrations({ sql }: UsableInstallation["database"], appRoot: string): Promise<Finding> {
  const { applied, known, newer, isTooOld } = await countMigrations(sql, appRoot);
  const seen = `${applied} of ${known} are applied`;
  if (newer > 0) {
    return fail("migrations", `${seen}; ${newer} are of a newer version`, "Use that version of Waypost.");
  }
  if (isTooOld) {
    return fail(
      "migrations",
      `${seen}; the last one is none of them`,
      "Upgrade to a version in between first.",
    );
  }
  if (applied < known)
    return fail("migrations", seen, "Start this version of Waypost. It applies the remaining migrations.");
  return ok("migrations", seen);
}
