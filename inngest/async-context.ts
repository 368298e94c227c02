/** The key of the SDK's async context, shared by all of its copies in a process (inngest, execution/als.ts). */
const SDK_CONTEXT = Symbol.for("inngest:als");

/** The value that the SDK itself uses on a runtime without `node:async_hooks`. */
const withoutContext = {
  getStore: () => undefined,
  run: <T>(_store: unknown, act: () => T): T => act(),
};

/**
 * Runs the SDK without its async context, which our functions don't use: they get `step` as an argument. With it, from
 * the first run on, Node 20 calls hooks for every promise of the process, which costs a sixth of the requests per
 * second. Call it before the first function runs.
 */
export function runWithoutAsyncContext(): void {
  const cache = { isFallback: true, resolved: withoutContext, promise: Promise.resolve(withoutContext) };
  Object.assign(globalThis, { [SDK_CONTEXT]: cache });
}
