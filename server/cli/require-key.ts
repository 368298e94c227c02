import type { SystemActor } from "../api/actor";
import type { Context, Services } from "../context";
import { WaypostError } from "../errors";
import { organizationOfKey } from "../keys/claim";

/** The context of the key's organization. @throws WaypostError `key_not_found` */
export async function requireKey(
  services: Services,
  keyId: string,
  job: string,
): Promise<Context<SystemActor>> {
  const organizationId = await organizationOfKey(services.orm, keyId);
  if (organizationId === null) throw new WaypostError("key_not_found");
  return { services, actor: { kind: "system", organizationId, job }, requestId: null };
}
