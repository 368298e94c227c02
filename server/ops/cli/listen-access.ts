import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { createKey } from "@/server/domain/keys/create";
import { revokeKey } from "@/server/domain/keys/revoke";
import { firstDemo, listOrganizations } from "@/server/domain/organizations/claim";
import { type OptionalInstallation, CommandError } from "./command";
import { requireOrganization } from "./organization";

/** Address and key for the API. */
export interface Access {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly key: string;
  /** Releases the resources that were created for it. */
  end(): Promise<void>;
}

export interface AccessOptions {
  /** Address of the service. Detected if absent. */
  readonly url?: string;
  /** If absent, a key is created, and revoked at the end. */
  readonly key?: string;
  /** The organization to create the key for. */
  readonly org?: string;
}

const JOB = "cli webhook listen";
/** The key expires even if this command is killed. */
const KEY_SECONDS = 7 * 86_400;

/**
 * Uses the given key, wherever its service is, or else one that is created in the installation on this machine.
 * @throws CommandError if no installation runs, or if the organization is ambiguous.
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
