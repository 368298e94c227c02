import { z } from "zod";
import { until } from "@/e2e/support/until";
import type { Waypost } from "@/e2e/support/waypost";

const LINE = /^memory: (\{.*\})$/gm;
const memorySchema = z.object({ rss: z.number(), heapUsed: z.number(), external: z.number() });

/** After a full garbage collection, in bytes. */
export interface Memory {
  /** On the heap and in buffers. */
  readonly usedBytes: number;
  readonly residentBytes: number;
}

/** Reads the server's memory probe. */
export async function measureMemory({ program, output }: Waypost): Promise<Memory> {
  const before = linesOf(output()).length;
  program.kill("SIGUSR2");
  const line = await until("the server tells its memory", () => linesOf(output())[before]);
  const { rss, heapUsed, external } = memorySchema.parse(JSON.parse(line));
  return { usedBytes: heapUsed + external, residentBytes: rss };
}

function linesOf(output: string): readonly string[] {
  return [...output.matchAll(LINE)].map(([, json = ""]) => json);
}
