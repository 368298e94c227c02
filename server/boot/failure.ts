import { DatabaseTooNew, DatabaseTooOld } from "@/db/client";
import { DataDirectoryInUse, EmbeddedPostgresError } from "@/db/embedded";
import { isDatabaseUnavailable } from "@/db/errors";
import { rootCause } from "@/server/lib/error-causes";
import { ConfigError } from "@/server/platform/config";
import { withoutSecrets } from "@/server/platform/redact";
import { SecretMismatch } from "@/server/platform/secrets/secret-check";
import { databaseUrlFault } from "@/server/platform/database-address";
import { NothingToAttachTo } from "./database";

/** Errors whose message is written for the operator. */
const WRITTEN_FOR_PEOPLE = [
  ConfigError,
  DatabaseTooNew,
  DatabaseTooOld,
  DataDirectoryInUse,
  EmbeddedPostgresError,
  NothingToAttachTo,
  SecretMismatch,
] as const;

/**
 * Returns what to print when a start failed: without secrets, and without a stack if the operator can fix the problem.
 * @param env decides whether the operator configured the database.
 */
export function failureText(error: unknown, env: NodeJS.ProcessEnv): string {
  return withoutSecrets(textOf(error, env));
}

function textOf(error: unknown, env: NodeJS.ProcessEnv): string {
  if (!(error instanceof Error)) return String(error);
  if (WRITTEN_FOR_PEOPLE.some((known) => error instanceof known)) return error.message;
  const fault = env.DATABASE_URL ? databaseUrlFault(error) : null;
  if (fault !== null) return fault;
  const root = rootCause(error);
  if (isDatabaseUnavailable(error)) return `The database can't be reached: ${root.message}`;
  const stack = error.stack ?? error.message;
  return root === error ? stack : `${stack}\nCaused by: ${root.message}`;
}
