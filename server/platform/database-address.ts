import { errorCauses, rootCause, systemCodeOf } from "@/server/lib/error-causes";
import type { DatabaseAddress } from "@/db/client";
import { readRunFile, type RunFile } from "@/db/embedded";

/**
 * Returns how to reach the PostgreSQL of the process that owns the data directory. The password is read again at every
 * connection, because another owner may have started. While there is no owner, the last one's address is tried.
 */
export function addressOfOwner(dataDir: string, run: RunFile): DatabaseAddress {
  const password = async () => ((await readRunFile(dataDir)) ?? run).postgres.password;
  return { ...run.postgres, password };
}

/** Advice by SQLSTATE (PostgreSQL documentation, appendix A), or by Node's code of a failed connection. */
const ADVICE: readonly (readonly [code: RegExp, advice: string])[] = [
  [
    /^28/,
    "See that user and password are right, and that pg_hba.conf lets them in from here (add ?sslmode=require where it wants TLS).",
  ],
  [/^3D000$/, "Make that database, or name another."],
  [
    /^(42501|3F000)$/,
    "Its role must make schemas and tables: let it own the database, or GRANT CREATE ON DATABASE and GRANT CREATE ON SCHEMA public.",
  ],
  [/^53/, "PostgreSQL is full: raise its limit, or end what uses it up."],
  [/^57P03$/, "Start again when PostgreSQL has."],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "See that its host is right."],
  [
    /^(ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ENOENT|ETIMEDOUT|CONNECT_TIMEOUT|CONNECTION_CLOSED)$/,
    "See that its host and port are right, and that PostgreSQL listens there and can be reached from here.",
  ],
  [
    /^ERR_INVALID_URL$/,
    "In user and password, write characters such as @ : / ? # % by their codes, / as %2F.",
  ],
  [/(CERT|TLS|SSL)/, "For a certificate of your own authority, name that in NODE_EXTRA_CA_CERTS."],
];

/**
 * Explains in one line why the database of `DATABASE_URL` can't be used: the variable, the reason given by PostgreSQL
 * or the system, and the advice. Null if neither the address nor its role is at fault. The text doesn't contain the
 * password.
 */
export function databaseUrlFault(error: unknown): string | null {
  const code = systemCodeOf(error);
  const [, advice] = ADVICE.find(([pattern]) => code !== null && pattern.test(code)) ?? [];
  if (!(error instanceof Error) || advice === undefined) return null;
  return `DATABASE_URL can't be used: ${reasonOf(error)}. ${advice}`;
}

/** If an address has several IPs and all fail, Node's error has no message. */
function reasonOf(error: Error): string {
  const several = errorCauses(error).find((one) => one instanceof AggregateError);
  const reason = several
    ? [
        ...new Set(several.errors.map((one: unknown) => (one instanceof Error ? one.message : String(one)))),
      ].join(", ")
    : rootCause(error).message;
  const [line = ""] = reason.split("\n");
  return line.replace(/\.$/, "");
}
