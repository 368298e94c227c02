import { AsyncLocalStorage } from "node:async_hooks";

/** The reason why the current call fails. */
interface Failure {
  cause?: Error;
}

const currentFailure = new AsyncLocalStorage<Failure>();

/**
 * Records a failure. For better-auth's logger: only the logger receives the reason why a session couldn't be read. The
 * first one recorded is the root cause.
 */
export function noteFailure(cause: Error): void {
  const failure = currentFailure.getStore();
  if (failure) failure.cause ??= cause;
}

/**
 * Calls better-auth, which replaces a failure with an error or a response of its own that has no cause.
 * @throws the original failure.
 */
export async function askBetterAuth<T>(ask: () => Promise<T>): Promise<T> {
  const failure: Failure = {};
  return currentFailure.run(failure, async () => {
    try {
      const answer = await ask();
      if (failure.cause && answer instanceof Response && answer.status >= 500) throw failure.cause;
      return answer;
    } catch (error) {
      throw failure.cause ?? error;
    }
  });
}
