import { describeMachine, measuredWorkMs, measureFixedWorkMs } from "./machine-speed";

/**
 * vitest's global setup: reports at the start and at the end how fast the machine is, beside the time that vitest
 * prints.
 */
export default function reportMachine(): () => Promise<void> {
  const report = (when: string, fixedWorkMs: number) =>
    void process.stderr.write(`Machine ${when}: ${describeMachine(fixedWorkMs)}.\n`);
  report("at the start", measuredWorkMs());
  return async () => report("at the end", await measureFixedWorkMs());
}
