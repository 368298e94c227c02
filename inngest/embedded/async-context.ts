/** Under this name the SDK keeps its async context for all of its copies in a process (inngest, execution/als.ts). */
const SDK_CONTEXT = Symbol.for("inngest:als");

/** What the SDK itself puts there on a runtime without `node:async_hooks`. */
const withoutContext = {
  getStore: () => undefined,
  run: <T>(_store: unknown, act: () => T): T => act(),
};

/**
 * Runs the SDK without its async context, which our functions don't use: they are given `step` as an argument. With it,
 * Node 20 calls hooks for every promise of the process from the first run on: a sixth of the requests per second.
 * Call it before the first function runs.
 */
export function runWithoutAsyncContext(): void {
  const cache = { isFallback: true, resolved: withoutContext, promise: Promise.resolve(withoutContext) };
  Object.assign(globalThis, { [SDK_CONTEXT]: cache });
}
