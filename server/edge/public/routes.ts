import { BASE_PATH } from "@/server/platform/addresses";
import type { AppRouter } from "@/server/edge/trpc/router";
import type { AnyMeta, ProcedureMeta } from "@/server/core/trpc";

export interface PublicRoute {
  readonly method: string;
  readonly meta: ProcedureMeta;
  /** Path from the root, with its parameters in braces. */
  readonly template: string;
  /** Dotted name of the procedure. */
  readonly procedure: string;
  matches(path: string): boolean;
}

/**
 * Reads the public routes from the procedures' meta. Paths without parameters come first, so that a parameter doesn't
 * match them.
 */
export function publicRoutes(router: AppRouter): readonly PublicRoute[] {
  return Object.entries(proceduresOf(router))
    .flatMap(([name, { meta }]): PublicRoute[] => {
      if (!("capability" in meta) || !meta.openapi) return [];
      const pattern = patternOf(meta.openapi.path);
      const { method, path } = meta.openapi;
      const template = BASE_PATH + path;
      return [{ method, meta, template, procedure: name, matches: (asked) => pattern.test(asked) }];
    })
    .sort((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)));
}

/** Returns every procedure with its meta. @throws Error for a procedure without meta, because anyone could call it. */
export function proceduresOf(router: AppRouter): Readonly<Record<string, { meta: AnyMeta }>> {
  const procedures: Record<string, { meta: AnyMeta }> = {};
  for (const [name, procedure] of Object.entries(proceduresRecord(router))) {
    const meta = procedure._def.meta;
    if (!meta) throw new Error(`The procedure ${name} has no meta: it must say who may call it`);
    procedures[name] = { meta };
  }
  return procedures;
}

/** Guarantee: tRPC keeps a router's procedures flat, by dotted name, each with the meta it was built with. */
function proceduresRecord(router: AppRouter): Record<string, { _def: { meta?: AnyMeta } }> {
  return router._def.procedures as unknown as Record<string, { _def: { meta?: AnyMeta } }>;
}

function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]+\}/g, "[^/]+");
  return new RegExp(`^${escaped}$`);
}

function hasParameter(route: PublicRoute): boolean {
  return route.meta.openapi?.path.includes("{") ?? false;
}
