/** What the mounts below `app/api` need of the program; it is a part of `Runtime` in server/runtime.ts. */
export interface MountedRuntime {
  publicApi: { fetch(request: Request): Promise<Response> };
  whatsapp: { callbacks: { fetch(request: Request, channelId: string): Promise<Response> } };
  inngest: { fetch(request: Request): Promise<Response> };
}

declare global {
  var __waypost: MountedRuntime | undefined;
}

/**
 * The one runtime object of this process. server/main.ts sets it before Next is prepared; Next compiles its own
 * copy of what it imports, so the object can only be shared through the global scope.
 */
export function getRuntime(): Promise<MountedRuntime> {
  const runtime = globalThis.__waypost;
  if (!runtime) throw new Error("There is no runtime: this process was not started by server/main.ts");
  return Promise.resolve(runtime);
}
