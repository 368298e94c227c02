import type { Runtime } from "@/server/boot/runtime";

declare global {
  var __waypost: Runtime | undefined;
  var __waypostStarting: Promise<Runtime> | undefined;
}

/**
 * Returns the runtime object of this process. server/main.ts sets it before Next is prepared. Next compiles its own
 * copy of its imports, so the object can be shared only through the global scope. If Next was started without
 * server/main.ts, the first request creates it.
 */
export async function getRuntime(): Promise<Runtime> {
  if (globalThis.__waypost) return globalThis.__waypost;
  globalThis.__waypostStarting ??= start();
  try {
    return await globalThis.__waypostStarting;
  } catch (error) {
    // The next request retries: the database may be available by then.
    globalThis.__waypostStarting = undefined;
    throw error;
  }
}

async function start(): Promise<Runtime> {
  const { createStandaloneRuntime } = await import("@/server/standalone");
  globalThis.__waypost = await createStandaloneRuntime();
  return globalThis.__waypost;
}
