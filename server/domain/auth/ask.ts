import { AsyncLocalStorage } from "node:async_hooks";

/** Why an answer failed that is under way. */
interface Failure {
  cause?: Error;
}

const currentFailure = new AsyncLocalStorage<Failure>();

/** For better-auth's logger: the only one that it tells why a session couldn't be read. The first is the root. */
export function noteFailure(cause: Error): void {
  const failure = currentFailure.getStore();
  if (failure) failure.cause ??= cause;
}

/**
 * Asks something of better-auth, which puts an error or an answer of its own, without a cause, in place of what failed.
 * @throws what did fail.
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
