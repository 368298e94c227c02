import { defineRun } from "./vitest.config";

/** `npm run test:long`: campaigns, and whatever takes long to prove. */
export default defineRun("**/*.long.test.ts", []);
