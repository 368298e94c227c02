import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import { revokeKey } from "@/server/domain/keys/revoke";
import { firstDemo, listOrganizations } from "@/server/domain/organizations/claim";
import { type OptionalInstallation, CommandError } from "./command";
import { requireOrganization } from "./organization";

/** How the API is called. */
export interface Access {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  /** Ends what was made for it. */
  end(): Promise<void>;
}

export interface AccessOptions {
  /** Address of the service; found out when not given. */
  readonly url?: string;
  /** When not given, one is made, and revoked at the end. */
  readonly key?: string;
  /** For which it is made. */
  readonly org?: string;
}

const JOB = "cli webhook listen";
/** Were this command killed, the key wouldn't work for ever. */
const KEY_SECONDS = 7 * 86_400;

/**
 * By the key that is given, wherever its service is; else by one that is made in the installation beside this command.
 * @throws CommandError where none runs, and where the organization isn't clear.
 */
export async function openAccess(
  optionalInstallation: OptionalInstallation,
  options: AccessOptions,
): Promise<Access> {
  const { key } = options;
  const url = options.url?.replace(/\/+$/, "");
  if (key !== undefined) {
    return { baseUrl: url ?? (await optionalInstallation.url()), key, end: () => Promise.resolve() };
  }
  const { services, baseUrl } = await optionalInstallation.attach();
  const ctx = await organizationOf(services, options.org);
  const input = {
    name: "webhook listen",
    scopes: ["webhooks:manage" as const],
    expiresInSeconds: KEY_SECONDS,
  };
  const made = await createKey({ ctx, input });
  const end = async () => void (await revokeKey({ ctx, input: { keyId: made.id } }));
  return { baseUrl: url ?? baseUrl, key: made.secret, end };
}

async function organizationOf(services: Services, id: string | undefined): Promise<Context<SystemActor>> {
  if (id !== undefined) return requireOrganization(services, id, JOB);
  const all = await listOrganizations(services.orm);
  const only = all.length === 1 ? all[0]?.id : await firstDemo(services.orm);
  if (only !== undefined && only !== null) return requireOrganization(services, only, JOB);
  throw new CommandError(
    "organization_not_named",
    all.length === 0
      ? "There is no organization yet. Create one with `org create`."
      : "There are several organizations. Choose one with --org; `org list` shows them.",
  );
}
