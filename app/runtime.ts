import type { Runtime } from "@/server/runtime";

declare global {
  var __waypost: Runtime | undefined;
}

/**
 * The one runtime object of this process. server/main.ts sets it before Next is prepared; Next compiles its own
 * copy of what it imports, so the object can only be shared through the global scope.
 */
export function getRuntime(): Promise<Runtime> {
  const runtime = globalThis.__waypost;
  if (!runtime) throw new Error("There is no runtime: this process was not started by server/main.ts");
  return Promise.resolve(runtime);
}
