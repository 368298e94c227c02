import { DatabaseTooNew } from "@/db/client";
import { DataDirectoryInUse, EmbeddedPostgresError } from "@/db/embedded";
import { isDatabaseUnavailable } from "@/db/errors";
import { ConfigError } from "../config";
import { withoutSecrets } from "../redact";
import { SecretMismatch } from "../secret-check";
import { NothingToAttachTo } from "./database";

/** Errors whose message is written for the operator. */
const WRITTEN_FOR_PEOPLE = [
  ConfigError,
  DatabaseTooNew,
  DataDirectoryInUse,
  EmbeddedPostgresError,
  NothingToAttachTo,
  SecretMismatch,
] as const;

/** What to print when a start failed: a message without a stack where the operator can mend it, and no secret. */
export function failureText(error: unknown): string {
  return withoutSecrets(textOf(error));
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (WRITTEN_FOR_PEOPLE.some((known) => error instanceof known)) return error.message;
  if (isDatabaseUnavailable(error)) return `The database can't be reached: ${error.message}`;
  return error.stack ?? error.message;
}
