import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { LongestFirst, type Project } from "./support/longest-first";

const root = fileURLToPath(new URL("..", import.meta.url));
const resolve = { alias: { "@": root.replace(/\/$/, "") } };

/** Files that change or watch what all of a process share. */
const ALONE = [
  "db/embedded/socket-directory.test.ts",
  "inngest/bounded-fetch.test.ts",
  "inngest/embedded/async-context.test.ts",
  "server/signals.test.ts",
  "server/process/outage.test.ts",
];
/** Files that start processes, or take long enough to be begun early. */
const LONG = [
  "e2e/**/*.test.ts",
  "db/embedded/**/*.test.ts",
  "inngest/functions.test.ts",
  "server/start.test.ts",
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
        name: "shared" satisfies Project,
        include: ["{server,db,inngest,app}/**/*.test.ts"],
        exclude: [...NOT_OURS, ...ALONE, ...LONG],
        isolate: false,
        restoreMocks: true,
      }),
      // Pages of one server, and of an organization of the file's own.
      inProject({
        name: "pages" satisfies Project,
        include: [PAGES],
        exclude: NOT_OURS,
        isolate: false,
        // Many steps, in a browser that shares its machine.
        testTimeout: 90_000,
        globalSetup: ["e2e/admin/support/shared-server.ts"],
      }),
      inProject({
        name: "long" satisfies Project,
        include: LONG,
        exclude: [...NOT_OURS, ...ALONE, PAGES],
        isolate: false,
        restoreMocks: true,
      }),
      inProject({ name: "alone" satisfies Project, include: ALONE }),
    ],
  },
});
