import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst, SHARED_PROJECT } from "./support/longest-first";

const root = fileURLToPath(new URL("..", import.meta.url));
const resolve = { alias: { "@": root.replace(/\/$/, "") } };

/** Files that change or watch what all of a process share, start processes, or take long enough to be begun early. */
const ALONE = [
  "db/embedded/**/*.test.ts",
  "inngest/{bounded-fetch,functions}.test.ts",
  "inngest/embedded/async-context.test.ts",
  "server/{signals,start}.test.ts",
  "server/{build,cli,process}/**/*.test.ts",
  "server/messages/order.test.ts",
  "server/whatsapp/simulator/{delivery,outcomes,restart,run}.test.ts",
];
const PAGES = "e2e/admin/*.test.ts";
const NOT_OURS = ["**/node_modules/**", "dist/**", ".next/**"];

/** What all of our tests run with. */
export function inProject<T extends object>(test: T) {
  return {
    root,
    resolve,
    test: {
      pool: "forks",
      // More than there are cores: tests that wait for a limit of time or a restart leave room for others.
      maxWorkers: 4,
      testTimeout: 30_000,
      // On a busy machine what is waited for takes longer than the default second.
      expect: { poll: { timeout: 10_000 } },
      hookTimeout: 60_000,
      ...test,
    },
  } as const;
}

export default defineConfig({
  root,
  resolve,
  test: {
    globalSetup: ["e2e/support/require-programs.ts", "e2e/support/require-browser.ts", "db/testing.ts"],
    sequence: { sequencer: LongestFirst },
    projects: [
      // One process runs many files, and loads what they import once: a file may leave nothing behind.
      inProject({
        name: SHARED_PROJECT,
        include: ["{server,db,inngest,app}/**/*.test.ts"],
        exclude: [...NOT_OURS, ...ALONE],
        isolate: false,
        restoreMocks: true,
      }),
      // Pages of one server, and of an organization of the file's own.
      inProject({
        name: "pages",
        include: [PAGES],
        exclude: NOT_OURS,
        isolate: false,
        // Many steps, in a browser that shares its machine.
        testTimeout: 90_000,
        globalSetup: ["e2e/admin/support/shared-server.ts"],
      }),
      inProject({ name: "alone", include: ["e2e/**/*.test.ts", ...ALONE], exclude: [...NOT_OURS, PAGES] }),
    ],
  },
});
