import { fail, type Finding } from "./finding";
import { wordsOf } from "./statements";

/** One part of the examination. */
export interface Check<I> {
  readonly name: string;
  readonly timeoutMs: number;
  run(installation: I): Promise<readonly Finding[]>;
}

/** A finding, and the check that produced it. */
export interface Line extends Finding {
  readonly check: string;
}

/** Runs a check. Never throws: a failure and a timeout of the check are findings. */
export async function perform<I>(
  { name, timeoutMs, run }: Check<I>,
  installation: I,
): Promise<readonly Line[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly Finding[]>((resolve) => {
    const line = fail(
      name,
      `no response within ${timeoutMs / 1000} s`,
      "Check the log and the load of the machine.",
    );
    timer = setTimeout(() => resolve([line]), timeoutMs);
  });
  const findings = run(installation).catch((error: unknown) => [
    fail(name, `can't be checked: ${wordsOf(error)}`, "Check the log."),
  ]);
  const first = await Promise.race([findings, late]);
  clearTimeout(timer);
  return first.map((finding) => ({ check: name, ...finding }));
}
