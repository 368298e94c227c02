import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The projects, as they are begun: the files of one stand together, so that they share processes. */
const PROJECTS = ["shared", "pages", "long", "alone"] as const;
export type Project = (typeof PROJECTS)[number];

/** Begun first of all, since it waits for the build that the others then find. */
const BUILDS = "e2e/documentation.test.ts";

/** What takes longest of each project, in this order; a run is over soonest when the long files don't come last. */
const LONGEST = [
  "e2e/admin/members.test.ts",
  "e2e/admin/messages.test.ts",
  "e2e/admin/requests.test.ts",
  "e2e/admin/usage.test.ts",
  "e2e/admin/account.test.ts",
  "e2e/admin/contacts.test.ts",
  "e2e/admin/channel-acts.test.ts",
  "e2e/admin/spotlight.test.ts",
  "e2e/outcomes/outcomes.test.ts",
  "e2e/crash/rounds.test.ts",
  "e2e/crash/server-ended.test.ts",
  "e2e/crash/several.test.ts",
  "e2e/processes/several.test.ts",
  "db/embedded/start.test.ts",
  "server/cli/main.test.ts",
  "e2e/conformance/node-mount.test.ts",
  "inngest/functions.test.ts",
  "server/cli/attach.test.ts",
  "server/start.test.ts",
  "e2e/conformance/next-mount.test.ts",
  "e2e/hostile/next-mount.test.ts",
  "e2e/crash/stopped.test.ts",
  "e2e/operating/operating.test.ts",
] as const satisfies readonly string[];

/** The one that builds, then project by project. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort((a, b) => projectOf(a) - projectOf(b) || placeOf(a) - placeOf(b));
  }
}

function projectOf({ moduleId, project }: TestSpecification): number {
  return moduleId.endsWith(`/${BUILDS}`) ? -1 : PROJECTS.findIndex((name) => name === project.name);
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((file) => moduleId.endsWith(`/${file}`));
  if (place !== -1) return place;
  // What starts servers takes longer than the rest.
  return LONGEST.length + (moduleId.includes("/e2e/") ? 0 : 1);
}
