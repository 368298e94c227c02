import { compareSecret } from "@/server/platform/secrets/secret-check";
import { fail, type Finding, ok, warn } from "./finding";
import type { UsableInstallation } from "./installation";

const WHAT = "WAYPOST_SECRET";

/**
 * Checks whether the secret is the one that the database was created with. Shows neither the secret nor anything
 * derived from it.
 */
export async function checkSecretValue(installation: UsableInstallation): Promise<readonly Finding[]> {
  const { config, database, vault, secretProblem } = installation;
  if (secretProblem !== null) return [fail(WHAT, secretProblem, "Restore it from a backup.")];
  const source = config.secret === null ? `the file \`secret\` in ${config.dataDir}` : "the variable";
  const found = await compareSecret(database.sql, vault);
  if (found === "unbound") {
    return [warn(WHAT, "the database isn't bound to a secret yet", "The next start of Waypost binds it.")];
  }
  if (found === "same") return [ok(WHAT, `${source} matches the database`)];
  const seen = vault === null ? `${source} is missing` : `${source} doesn't match the database`;
  return [
    fail(
      WHAT,
      seen,
      "Restore the secret that the database was created with. The database can't be used with any other secret.",
    ),
  ];
}
