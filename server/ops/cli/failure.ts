import { CommanderError } from "commander";
import { DatabaseTooNew, DatabaseTooOld } from "@/db/client";
import { DataDirectoryInUse, EmbeddedPostgresError } from "@/db/embedded";
import { isDatabaseUnavailable } from "@/db/errors";
import { ConfigError } from "@/server/platform/config";
import { SimulatorRefused } from "@/server/ops/demo/register";
import { isWaypostError, type WaypostError } from "@/server/platform/errors";
import { databaseUrlFault } from "@/server/platform/database-address";
import { SecretMismatch } from "@/server/platform/secrets/secret-check";
import { CommandError } from "./command";
import { ApiError, ApiUnreachable } from "./listen/api";

const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** Errors whose message is written for the person at the terminal. */
const WRITTEN_FOR_PEOPLE = [
  ApiUnreachable,
  CommandError,
  ConfigError,
  DatabaseTooNew,
  DatabaseTooOld,
  DataDirectoryInUse,
  EmbeddedPostgresError,
  SecretMismatch,
  SimulatorRefused,
] as const;

export interface Failure {
  readonly exitCode: number;
  /** Text for standard error. Null if it was already printed, or if there is none. */
  readonly text: string | null;
}

/** Describes how a failed command ends. Exit codes: 0 if help was requested, 1 for a failure, 2 for a usage error. */
export function failureOf(error: unknown, env: NodeJS.ProcessEnv): Failure {
  // Commander has already printed the error with the expected usage, or the help.
  if (error instanceof CommanderError) return { exitCode: error.exitCode === 0 ? 0 : EXIT_USAGE, text: null };
  return { exitCode: EXIT_FAILED, text: `waypost: ${describe(error, env)}` };
}

function describe(error: unknown, env: NodeJS.ProcessEnv): string {
  if (isWaypostError(error)) return `${inOptions(error)} (${error.code})`;
  if (error instanceof CommandError || error instanceof ApiError) return `${error.message} (${error.code})`;
  if (error instanceof Error && WRITTEN_FOR_PEOPLE.some((known) => error instanceof known))
    return error.message;
  const fault = env.DATABASE_URL ? databaseUrlFault(error) : null;
  if (fault !== null) return fault;
  if (isDatabaseUnavailable(error)) return "The database can't be reached. Check that its server is running.";
  return `Unexpected error: ${rootMessage(error)}`;
}

/** Fields of verbs that have no option of the same name. The first three come from the credentials file. */
const GIVEN_BY: Readonly<Record<string, string>> = {
  accessToken: "access_token",
  appSecret: "app_secret",
  verifyToken: "verify_token",
  channelIds: "--channels",
};

/** Rewords a verb's error for the command line. */
function inOptions({ message, field }: WaypostError): string {
  if (field === undefined) return message;
  const kebab = field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return message.replaceAll(`\`${field}\``, `\`${GIVEN_BY[field] ?? `--${kebab}`}\``);
}

/** Message of the first cause. Drizzle's wrapper repeats the statement's values. */
function rootMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : rootMessage(error.cause);
}
