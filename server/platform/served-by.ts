import type { ProcessRole } from "./config";

/** Paths that only some roles serve. The admin app has all other paths. The first match decides. */
const PATHS = [
  { prefix: "/api/public/", roles: ["all", "api"] },
  { prefix: "/api/upstream/", roles: ["all", "api"] },
  { prefix: "/api/demo/", roles: ["all", "api"] },
  { prefix: "/api/inngest", roles: ["all", "jobs"] },
  { prefix: "/", roles: ["all", "admin"] },
] as const satisfies readonly { prefix: string; roles: readonly ProcessRole[] }[];

/** Returns true if a process of this role receives the upstream's callbacks. */
export function takesCallbacks(role: ProcessRole): boolean {
  return servedBy(role, "/api/upstream/");
}

/** Returns true if a process of this role serves the path (`WAYPOST_ROLE`). */
export function servedBy(role: ProcessRole, path: string): boolean {
  const entry = PATHS.find(({ prefix }) => path.startsWith(prefix));
  const roles: readonly ProcessRole[] = entry?.roles ?? [];
  return roles.includes(role);
}
