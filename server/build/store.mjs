import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { isProcessAlive } from "./process-alive.mjs";

/**
 * The two parts that are built separately from one source: the esbuild bundle of everything below server, db and
 * inngest, and Next's build of app.
 *
 * @typedef {"bundle" | "next"} Part
 */

/** @type {readonly Part[]} */
const PARTS = ["bundle", "next"];
const BUILDS_KEPT = 2;

/**
 * Finished builds, in `dist/<source hash>/`:
 *
 *     bundle.json      { "directory": "bundle-5f0c1a2b" }: published atomically, by a rename
 *     bundle-5f0c1a2b  written by one attempt only, never changed after publication
 *     in-use/4711      a process that runs from here
 *
 * So neither a killed build nor one that continues in an orphan can damage a finished one.
 *
 * @param {string} appRoot
 * @param {string} hash
 */
export function openStore(appRoot, hash) {
  const root = join(appRoot, "dist", hash);
  const useFile = join(root, "in-use", String(process.pid));
  return {
    hash,

    /**
     * Returns the directory of a finished part, or null.
     *
     * @param {Part} part
     */
    find: (part) => findPart(root, part),

    /** Returns true if an attempt was begun here and never finished. */
    hasRemains: () => listDirectory(root).some((name) => isUnpublished(root, name)),

    /**
     * Lets `build` write a part into a new directory, then publishes it atomically as the finished part, unless `build`
     * returns false or throws.
     *
     * @param {Part} part
     * @param {(directory: string) => Promise<boolean>} build
     * @returns {Promise<boolean>} whether it was published
     */
    async attempt(part, build) {
      const directory = join(root, `${part}-${randomBytes(4).toString("hex")}`);
      mkdirSync(directory, { recursive: true });
      let isPublished = false;
      try {
        if (await build(directory)) {
          publishPart(root, part, directory);
          isPublished = true;
        }
      } finally {
        if (!isPublished) remove(directory);
      }
      return isPublished;
    },

    /** Keeps this build from being pruned while this process runs. Call it before `find`. */
    hold() {
      mkdirSync(join(root, "in-use"), { recursive: true });
      writeFileSync(useFile, "");
      process.once("exit", () => rmSync(useFile, { force: true }));
    },

    drop: () => rmSync(useFile, { force: true }),
  };
}

/** @typedef {ReturnType<typeof openStore>} Store */

/**
 * Removes unneeded builds: attempts that were never finished, and all builds but the current one, the newest before it,
 * and those that a running process uses. Only for the holder of the build lock.
 *
 * @param {string} appRoot
 * @param {string} currentHash
 */
export function pruneBuilds(appRoot, currentHash) {
  const dist = join(appRoot, "dist");
  const builds = listBuilds(appRoot)
    .map((hash) => ({ hash, root: join(dist, hash), builtAt: builtAt(join(dist, hash)) }))
    .sort((a, b) => Number(b.hash === currentHash) - Number(a.hash === currentHash) || b.builtAt - a.builtAt);
  for (const [position, { root, builtAt: time }] of builds.entries()) {
    const isNew = position < BUILDS_KEPT && time > 0;
    if (!isNew && !isInUse(root)) remove(root);
    else for (const name of listDirectory(root)) if (isUnpublished(root, name)) remove(join(root, name));
  }
}

/**
 * @param {string} appRoot
 * @returns {string[]} the source hashes for which a build was begun
 */
export function listBuilds(appRoot) {
  return listDirectory(join(appRoot, "dist")).filter((name) => /^[0-9a-f]{16}$/.test(name));
}

/**
 * @param {string} root
 * @param {Part} part
 */
function findPart(root, part) {
  try {
    const { directory } = JSON.parse(readFileSync(join(root, `${part}.json`), "utf8"));
    return existsSync(join(root, directory)) ? join(root, directory) : null;
  } catch {
    return null;
  }
}

/**
 * @param {string} root
 * @param {Part} part
 * @param {string} directory
 */
function publishPart(root, part, directory) {
  const draft = join(directory, ".published.json");
  writeFileSync(draft, `${JSON.stringify({ directory: basename(directory) })}\n`);
  renameSync(draft, join(root, `${part}.json`));
}

/**
 * @param {string} root
 * @param {string} name
 */
function isUnpublished(root, name) {
  const part = PARTS.find((candidate) => name.startsWith(`${candidate}-`));
  return part !== undefined && findPart(root, part) !== join(root, name);
}

/** @param {string} root */
function builtAt(root) {
  const times = PARTS.map(
    (part) => statSync(join(root, `${part}.json`), { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return Math.max(...times);
}

/** @param {string} root */
function isInUse(root) {
  const users = join(root, "in-use");
  return listDirectory(users).some((pid) => {
    if (isProcessAlive(Number(pid))) return true;
    rmSync(join(users, pid), { force: true });
    return false;
  });
}

/** @param {string} path */
function listDirectory(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/**
 * If an orphan still writes to it, it can't be removed now, but at the next build.
 *
 * @param {string} path
 */
function remove(path) {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 2 });
  } catch {
    return;
  }
}
