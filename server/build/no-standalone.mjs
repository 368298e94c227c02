/** Replaces server/standalone.ts in the build of `server/start.mjs`: there, server/main.ts has made the runtime. */
export function createStandaloneRuntime() {
  throw new Error("server/main.ts sets the runtime before it prepares Next");
}
