import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { limitMs, measureMachine } from "./support/machine-speed";

await measureMachine();

const root = fileURLToPath(new URL("..", import.meta.url));
const resolve = { alias: { "@": root.replace(/\/$/, "") } };
const TESTS = "{server,db,inngest,app,e2e}/**/*.test.ts";
/** Files that change or watch process-wide state. */
const ALONE = "**/*.alone.test.ts";
const LONG = "**/*.long.test.ts";
export const NOT_OURS = ["**/node_modules/**"];

/** Settings of every test project. */
export function inProject<T extends object>(test: T) {
  return {
    root,
    resolve,
    test: {
      pool: "forks",
      // More than there are cores: tests that wait for a restart leave capacity for others.
      maxWorkers: 4,
      // These limits prove nothing: they only end a hanging test.
      testTimeout: limitMs(600_000),
      hookTimeout: limitMs(300_000),
      expect: { poll: { timeout: limitMs(30_000) } },
      restoreMocks: true,
      // Titles of test.each show their whole case.
      chaiConfig: { truncateThreshold: 0 },
      ...test,
    },
  } as const;
}

/**
 * Tests of processes and pages first: their waits leave capacity, and the many short files fill the end evenly. They
 * are ordered with one of each folder in turn, because files of one folder wait together (for restarts), or compute
 * together (for pages).
 */
class BlackBoxFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inOrder = [...files].sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
    const folders = new Map<string, TestSpecification[]>();
    for (const file of inOrder.filter(({ moduleId }) => moduleId.includes("/e2e/"))) {
      const folder = dirname(file.moduleId);
      folders.set(folder, [...(folders.get(folder) ?? []), file]);
    }
    const turns = Math.max(0, ...[...folders.values()].map(({ length }) => length));
    const blackBox = Array.from({ length: turns }, (_, turn) =>
      [...folders.values()].flatMap((inFolder) => inFolder.slice(turn, turn + 1)),
    ).flat();
    return [...new Set([...blackBox, ...inOrder])];
  }
}

/** Defines a run of these projects, with the setup that every run needs. */
export function defineRun(projects: ReturnType<typeof inProject>[]) {
  return defineConfig({
    root,
    resolve,
    test: {
      globalSetup: [
        "e2e/support/report-machine.ts",
        "e2e/support/require-programs.ts",
        "e2e/support/require-browser.ts",
        "db/testing.ts",
        "e2e/support/shared-server.ts",
      ],
      sequence: { sequencer: BlackBoxFirst },
      projects,
    },
  });
}

/** `npm test`: shows within minutes whether a change is right. */
export default defineRun([
  // One process runs many files, and loads their imports once: a file must leave nothing behind.
  inProject({ name: "shared", include: [TESTS], exclude: [...NOT_OURS, ALONE, LONG], isolate: false }),
  inProject({ name: "alone", include: [ALONE], exclude: NOT_OURS }),
]);
