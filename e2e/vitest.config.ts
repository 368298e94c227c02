import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

export default defineConfig({
  root,
  resolve: { alias: { "@": root.replace(/\/$/, "") } },
  test: {
    include: ["{server,db,inngest,e2e,app}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**", ".next/**"],
    globalSetup: ["e2e/support/require-programs.ts", "db/testing.ts"],
    pool: "forks",
    // Tests that wait for a limit of time or a restart leave room for others.
    maxWorkers: 3,
    testTimeout: 30_000,
    // On a busy machine what is waited for takes longer than the default second.
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
  },
});
