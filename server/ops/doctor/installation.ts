import type { Sql } from "@/db/client";
import type { Config } from "@/server/platform/config";
import type { Vault } from "@/server/platform/secrets/vault";
import type { WhatsAppClient } from "@/server/adapters/whatsapp/client";

/** The database as far as it could be reached. */
export type DatabaseAccess =
  | { readonly kind: "reached"; readonly via: "url" | "server" | "own"; readonly sql: Sql }
  /** The data directory has none yet. */
  | { readonly kind: "absent" }
  /** `reason`: for the operator, without a password. */
  | { readonly kind: "unreachable"; readonly reason: string };

/** What is examined: this configuration, and what it leads to. */
export interface Installation {
  readonly config: Config;
  readonly database: DatabaseAccess;
  /** Of the embedded PostgreSQL, which can lie outside of the data directory; null where there is none. */
  readonly databaseDirectory: string | null;
  /** Null where there is no secret, or none that could be read. */
  readonly vault: Vault | null;
  /** Why the secret couldn't be read; null where it could, or where there is none yet. */
  readonly secretProblem: string | null;
  /** Null where no simulator runs. */
  readonly simulatorUrl: string | null;
  readonly whatsapp: Pick<WhatsAppClient, "readNumber">;
}

/** An installation whose database answers, and has this program's schema. */
export interface UsableInstallation extends Installation {
  readonly database: Extract<DatabaseAccess, { kind: "reached" }>;
}
