import { defineRun, inProject, NOT_OURS } from "./vitest.config";

/** `npm run test:long`: campaigns, and other tests that take long. */
export default defineRun([
  inProject({ name: "long", include: ["**/*.long.test.ts"], exclude: NOT_OURS, isolate: false }),
]);
