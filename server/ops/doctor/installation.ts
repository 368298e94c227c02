import type { Sql } from "@/db/client";
import type { Config } from "@/server/platform/config";
import type { Vault } from "@/server/platform/secrets/vault";
import type { WhatsAppClient } from "@/server/adapters/whatsapp/client";

/** Result of connecting to the database. */
export type DatabaseAccess =
  | { readonly kind: "reached"; readonly via: "url" | "server" | "own"; readonly sql: Sql }
  /** The data directory has no database yet. */
  | { readonly kind: "absent" }
  /** `reason`: for the operator, without a password. */
  | { readonly kind: "unreachable"; readonly reason: string };

/** The examined installation: this configuration, and the resources that it leads to. */
export interface Installation {
  readonly config: Config;
  readonly database: DatabaseAccess;
  /** Directory of the embedded PostgreSQL, which can be outside the data directory. Null if there is none. */
  readonly databaseDirectory: string | null;
  /** Null if there is no secret, or if it couldn't be read. */
  readonly vault: Vault | null;
  /** The reason why the secret couldn't be read. Null if it could, or if there is none yet. */
  readonly secretProblem: string | null;
  /** Null if no simulator runs. */
  readonly simulatorUrl: string | null;
  readonly whatsapp: Pick<WhatsAppClient, "readNumber">;
}

/** An installation whose database responds and has this program's schema. */
export interface UsableInstallation extends Installation {
  readonly database: Extract<DatabaseAccess, { kind: "reached" }>;
}
