import type { SystemActor } from "@/server/core/actor";
import type { Context, Services } from "@/server/core/context";
import { WaypostError } from "@/server/platform/errors";
import { organizationOfKey } from "@/server/domain/keys/claim";

/** Returns the context of the key's organization. @throws WaypostError `key_not_found` */
export async function requireKey(
  services: Services,
  keyId: string,
  job: string,
): Promise<Context<SystemActor>> {
  const organizationId = await organizationOfKey(services.orm, keyId);
  if (organizationId === null) throw new WaypostError("key_not_found");
  return { services, actor: { kind: "system", organizationId, job }, requestId: null };
}
