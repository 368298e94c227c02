import { describeMachine, measureFixedWorkMs } from "./machine-speed";

/** vitest's global setup: says at the start and at the end how fast the machine is, beside the time that vitest prints. */
export default async function reportMachine(): Promise<() => Promise<void>> {
  const report = async (when: string) =>
    void process.stderr.write(`Machine ${when}: ${describeMachine(await measureFixedWorkMs())}.\n`);
  await report("at the start");
  return () => report("at the end");
}
