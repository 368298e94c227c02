import { eq } from "drizzle-orm";
import type { Executor, Orm } from "@/db/client";
import { installation } from "@/db/schema";
import type { Vault } from "./vault";

const NAME = "secret_check";

/** The database was created with another `WAYPOST_SECRET`, so its encrypted values can't be read. */
export class SecretMismatch extends Error {
  override readonly name = "SecretMismatch";
  constructor() {
    super(
      "WAYPOST_SECRET isn't the one under which this database was made (without it, the file `secret` in the data " +
        "directory counts). Start with that one; nothing was changed.",
    );
  }
}

/**
 * Binds the database to the secret at the first start, and compares at every later one. If several processes make the
 * first start concurrently, one decides and the others compare.
 * @throws SecretMismatch
 */
export async function checkSecret(orm: Orm, vault: Pick<Vault, "checkValue">): Promise<void> {
  await orm.insert(installation).values({ name: NAME, value: vault.checkValue }).onConflictDoNothing();
  const [row] = await orm
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.name, NAME));
  if (row?.value !== vault.checkValue) throw new SecretMismatch();
}

/** Compares without binding. Returns `unbound` if no start has bound the database to a secret yet. */
export async function compareSecret(
  sql: Executor,
  vault: Pick<Vault, "checkValue"> | null,
): Promise<"same" | "other" | "unbound"> {
  const [row] = await sql<{ value: string }[]>`select value from installation where name = ${NAME}`;
  if (!row) return "unbound";
  return row.value === vault?.checkValue ? "same" : "other";
}
