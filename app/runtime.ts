import type { Runtime } from "@/server/boot/runtime";

declare global {
  var __waypost: Runtime | undefined;
  var __waypostStarting: Promise<Runtime> | undefined;
}

/**
 * The one runtime object of this process. server/main.ts sets it before Next is prepared; Next compiles its own
 * copy of what it imports, so the object can only be shared through the global scope. Where Next was started without
 * server/main.ts, the first request makes it.
 */
export async function getRuntime(): Promise<Runtime> {
  if (globalThis.__waypost) return globalThis.__waypost;
  globalThis.__waypostStarting ??= start();
  try {
    return await globalThis.__waypostStarting;
  } catch (error) {
    // The next request tries again: the database may be back by then.
    globalThis.__waypostStarting = undefined;
    throw error;
  }
}

async function start(): Promise<Runtime> {
  const { createStandaloneRuntime } = await import("@/server/standalone");
  globalThis.__waypost = await createStandaloneRuntime();
  return globalThis.__waypost;
}
