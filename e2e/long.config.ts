import { defineRun, inProject, NOT_OURS } from "./vitest.config";

/** `npm run test:long`: campaigns, and whatever takes long to prove. */
export default defineRun([
  inProject({ name: "long", include: ["**/*.long.test.ts"], exclude: NOT_OURS, isolate: false }),
]);
