import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/db/testing";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { startProgram } from "@/e2e/support/program";

const SECRET = "a secret of this test, and of nobody else";
let database: TestDatabase;
let directory: string;

beforeAll(async () => {
  database = await createTestDatabase();
  directory = await mkdtemp(join(tmpdir(), "waypost-refused-"));
});
afterAll(async () => {
  await rm(directory, { recursive: true, force: true });
  await database.drop();
});

const LITTLE_DISK = pathToFileURL(join(import.meta.dirname, "support/little-disk.mjs")).href;
const wrongPassword = () => Object.assign(new URL(database.url), { password: "hunter2" }).href;

test.each<[string, () => Record<string, string>, RegExp]>([
  [
    "wrong password",
    () => ({ DATABASE_URL: wrongPassword() }),
    /^DATABASE_URL can't be used: password .+\n$/,
  ],
  [
    "data directory that can't be one, with a database elsewhere",
    () => ({ DATABASE_URL: database.url, WAYPOST_DATA_DIR: "/dev/null", WAYPOST_ROLE: "api" }),
    /^Waypost can't .*\n {2}WAYPOST_DATA_DIR: \/dev\/null can't be used as a directory .*\n$/,
  ],
])(
  "a start with a %s names the variable, without a stack, and ends with exit code 1",
  async (_, env, words) => {
    const program = startProgram(["server"], {
      PORT: "0",
      WAYPOST_DATA_DIR: directory,
      WAYPOST_SECRET: SECRET,
      ...env(),
    });
    expect(await program.ended).toEqual({ code: 1, signal: null });
    const reported = program.stderr().replaceAll(/^waypost: .*\n/gm, "");
    expect(reported).toMatch(words);
    expect(reported + program.stdout()).not.toMatch(/\n +at |hunter2/);
  },
);

test.each([[["server"]], [["cli", "org", "create", "--name", "Shop"]]])(
  "a first start (%s) with little room on the disk says so, how much it needs, and what to do, with exit code 1",
  async (args) => {
    const dataDir = await createDataDirectory();
    onTestFinished(() => removeDataDirectory(dataDir));
    const env = { PORT: "0", WAYPOST_DATA_DIR: dataDir, NODE_OPTIONS: `--import ${LITTLE_DISK}` };
    const program = startProgram(args, env);
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.stderr()).toContain(
      `${dataDir} has 100 MiB of free space, and a first start needs 512 MiB`,
    );
    expect(program.stderr() + program.stdout()).not.toMatch(/\n +at /);
    expect(await readdir(dataDir)).not.toContain("postgres");
  },
);
