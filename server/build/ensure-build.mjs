import { join } from "node:path";
import { buildBundle } from "./bundle.mjs";
import { acquireBuildLock } from "./lock.mjs";
import { buildNext } from "./next.mjs";
import { hashSource } from "./source-hash.mjs";
import { StartError } from "./start-error.mjs";
import { listBuilds, openStore, pruneBuilds } from "./store.mjs";

const ATTEMPTS_MAX = 3;

/** How each part is built, in this order, and its description. */
const STEPS = /** @type {const} */ ([
  {
    part: "bundle",
    title: "bundling the server",
    build: (/** @type {string} */ appRoot, /** @type {string} */ directory) =>
      buildBundle({ appRoot, outdir: directory }),
  },
  {
    part: "next",
    title: "building the pages",
    build: (/** @type {string} */ appRoot, /** @type {string} */ directory) =>
      buildNext({ appRoot, distDir: directory }),
  },
]);

/**
 * Ensures that the requested parts exist for the current source, and keeps them from being pruned while this process
 * runs. Builds only missing parts, one process at a time in a checkout. A process that had to wait uses the build of
 * the first. If the source changes during the build, it builds again.
 *
 * @param {{ appRoot: string, parts: readonly import("./store.mjs").Part[], report: (line: string) => void }} options
 * @returns {Promise<import("./store.mjs").Store>}
 */
export async function ensureBuild({ appRoot, parts, report }) {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const store = openStore(appRoot, hashSource(appRoot));
    store.hold();
    if (parts.every((part) => store.find(part))) return store;
    if (await buildUnderLock({ appRoot, parts, report, store })) return store;
    report("the source changed during the build");
    store.drop();
  }
  throw new StartError(
    `The source changed during each of ${ATTEMPTS_MAX} builds. Start again when it is at rest.`,
  );
}

/**
 * @param {{ appRoot: string, parts: readonly import("./store.mjs").Part[], report: (line: string) => void,
 *   store: import("./store.mjs").Store }} options
 * @returns {Promise<boolean>} false if the source has changed since this store was opened
 */
async function buildUnderLock({ appRoot, parts, report, store }) {
  const lock = await acquireBuildLock(appRoot, {
    onWait: () => report("another process is building in this checkout; waiting for it"),
  });
  try {
    const steps = STEPS.filter(({ part }) => parts.includes(part) && !store.find(part));
    if (steps.length === 0) return true;
    report(`building ${store.hash}: ${reasonToBuild(appRoot, store)}`);
    for (const { part, title, build } of steps) {
      const startedAt = performance.now();
      report(`${title} …`);
      const isPublished = await store.attempt(part, async (directory) => {
        await build(appRoot, directory);
        return hashSource(appRoot) === store.hash;
      });
      if (!isPublished) return false;
      report(`${title}: done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    }
    pruneBuilds(appRoot, store.hash);
    return true;
  } finally {
    await lock.release();
  }
}

/**
 * @param {string} appRoot
 * @param {import("./store.mjs").Store} store
 */
function reasonToBuild(appRoot, store) {
  if (store.hasRemains()) return "an earlier build of this source was cut short";
  if (STEPS.some(({ part }) => store.find(part))) return "only a part of this source was built so far";
  const isFirst = listBuilds(appRoot).every((hash) => hash === store.hash);
  return isFirst
    ? `nothing is built yet in ${join(appRoot, "dist")}`
    : "the source changed since the last build";
}
