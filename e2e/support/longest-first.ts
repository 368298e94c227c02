import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The project whose files share processes. */
export const SHARED_PROJECT = "shared";

/** Begun first, since it waits for the build that the others then find. */
const BUILDS = "e2e/documentation.test.ts";

/** What takes longest, in this order; a run is over soonest when the long files don't come last. */
const LONG = [
  "e2e/outcomes/outcomes.test.ts",
  "e2e/crash/rounds.test.ts",
  "e2e/hostile/node-mount.test.ts",
  "e2e/crash/server-ended.test.ts",
  "e2e/crash/several.test.ts",
  "e2e/conformance/node-mount.test.ts",
  "e2e/processes/several.test.ts",
  "db/embedded/start.test.ts",
  "e2e/conformance/next-mount.test.ts",
  "e2e/operating/operating.test.ts",
  "e2e/concurrency.test.ts",
  "inngest/functions.test.ts",
  "server/cli/main.test.ts",
  "e2e/crash/stopped.test.ts",
  "server/whatsapp/simulator/outcomes.test.ts",
  "server/cli/attach.test.ts",
  "e2e/bench/growth/growth.test.ts",
] as const satisfies readonly string[];

/** The one that builds, then those that share processes, side by side for the sake of sharing, then the long ones. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => placeOf(a) - placeOf(b));
  }
}

function placeOf({ moduleId, project }: TestSpecification): number {
  if (moduleId.endsWith(`/${BUILDS}`)) return 0;
  if (project.name === SHARED_PROJECT) return 1;
  const place = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
  if (place !== -1) return 2 + place;
  // What starts servers takes longer than the rest.
  return 2 + LONG.length + (moduleId.includes("/e2e/") ? 0 : 1);
}
