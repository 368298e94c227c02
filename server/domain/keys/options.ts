import { requireCapability, SCOPE_NAMES, SCOPES, type Scope } from "@/server/core/capabilities";
import type { Context } from "@/server/core/context";
import { LIMIT_MAX, POLICIES } from "@/server/adapters/limits/policies";

/** The choices for a key, and the defaults. */
export interface KeyOptions {
  readonly scopes: readonly {
    readonly name: Scope;
    readonly description: string;
    readonly isDefault: boolean;
  }[];
  /** Units per 60 seconds. */
  readonly sendLimitDefault: number;
  readonly readLimitDefault: number;
  readonly limitMax: number;
}

/** Returns the choices for a key. @throws WaypostError `permission_denied` without `integrations.manage_api`. */
export async function keyOptions({ ctx }: { ctx: Context }): Promise<KeyOptions> {
  requireCapability(ctx.actor, "integrations.manage_api");
  return {
    scopes: SCOPE_NAMES.map((name) => ({ name, ...SCOPES[name] })),
    sendLimitDefault: POLICIES.send.limitDefault,
    readLimitDefault: POLICIES.read.limitDefault,
    limitMax: LIMIT_MAX,
  };
}
