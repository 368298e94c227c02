import type { ProcessRole } from "./config";

/** Which paths only some roles serve; the rest is the admin app's. The first that fits decides. */
const PATHS = [
  { prefix: "/api/public/", roles: ["all", "api"] },
  { prefix: "/api/upstream/", roles: ["all", "api"] },
  { prefix: "/api/demo/", roles: ["all", "api"] },
  { prefix: "/api/inngest", roles: ["all", "jobs"] },
  { prefix: "/", roles: ["all", "admin"] },
] as const satisfies readonly { prefix: string; roles: readonly ProcessRole[] }[];

/** Whether the upstream's callbacks come in at a process of this role. */
export function takesCallbacks(role: ProcessRole): boolean {
  return servedBy(role, "/api/upstream/");
}

/** Whether a process of this role answers the path (`WAYPOST_ROLE`). */
export function servedBy(role: ProcessRole, path: string): boolean {
  const entry = PATHS.find(({ prefix }) => path.startsWith(prefix));
  const roles: readonly ProcessRole[] = entry?.roles ?? [];
  return roles.includes(role);
}
