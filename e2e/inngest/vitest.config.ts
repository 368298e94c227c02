import { defineConfig } from "vitest/config";
import common from "../vitest.config";
import { SayingWhatRuns } from "./saying";

/** What needs a real Inngest server: `npm run test:inngest`. */
export default defineConfig({
  ...common,
  test: {
    ...common.test,
    include: ["e2e/inngest/*.spec.ts"],
    fileParallelism: false,
    reporters: ["verbose", new SayingWhatRuns()],
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
