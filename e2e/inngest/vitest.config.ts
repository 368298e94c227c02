import { defineConfig } from "vitest/config";
import { inProject } from "../vitest.config";
import { ProgressReporter } from "./progress-reporter";

/** Tests that need a real Inngest server: `npm run test:inngest`. */
export default defineConfig(
  inProject({
    include: ["e2e/inngest/*.spec.ts"],
    globalSetup: ["e2e/support/require-programs.ts", "db/testing.ts"],
    fileParallelism: false,
    reporters: ["verbose", new ProgressReporter()],
    testTimeout: 600_000,
    hookTimeout: 300_000,
  }),
);
