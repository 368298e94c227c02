import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ownAccount, postgresAccount } from "@/db/embedded/account";
import { binariesPackage, preparePostgresBinaries } from "@/db/embedded/binaries";
import { prepareCluster } from "@/db/embedded/cluster";
import { assertNotACopy } from "@/db/embedded/cluster-home";
import { removeDirectory, silentLog, temporaryDirectory } from "@/db/embedded/testing";
import { newClusterState, readClusterState, writeClusterState } from "@/db/embedded/state";

let home: string;
let pristine: string;
let dataDir: string;
let count = 0;

beforeAll(async () => {
  home = await temporaryDirectory();
  pristine = await temporaryDirectory();
  // The state after a first start that was killed within initdb.
  await writeClusterState(pristine, newClusterState());
  await mkdir(join(pristine, "postgres.new-dead"));
  await prepareCluster(pristine, silentLog);
});
beforeEach(async () => {
  dataDir = join(home, `data-${count++}`);
  await mkdir(dataDir);
  await chmod(dataDir, 0o711);
});
afterAll(() => Promise.all([home, pristine].map(removeDirectory)));

describe("prepareCluster", () => {
  it("keeps the password from others, and leaves nothing behind of initdb nor of one that was killed", async () => {
    expect((await ownEntries(pristine)).sort()).toEqual(["postgres", "postgres.json"]);
    expect((await stat(join(pristine, "postgres.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(join(pristine, "postgres"))).mode & 0o777).toBe(0o700);
  });

  it("asks everybody for the password", async () => {
    const rules = (await readFile(join(pristine, "postgres", "pg_hba.conf"), "utf8"))
      .split("\n")
      .filter((line) => line.trim() !== "" && !line.startsWith("#"));
    expect(rules.length).toBeGreaterThan(0);
    for (const rule of rules) expect(rule).toMatch(/scram-sha-256$/);
  });

  it("of a first start with less than 512 MiB of free space is refused in words, and makes nothing", async () => {
    const free = async () => 512 * 1024 * 1024 - 1;
    await expect(prepareCluster(dataDir, silentLog, free)).rejects.toThrow(
      /has 511 MiB of free space, and a first start needs 512 MiB\. Free some space, set WAYPOST_DATA_DIR/,
    );
    expect(await readdir(dataDir)).toEqual([]);
    const cluster = await prepareCluster(pristine, silentLog, async () => 0);
    expect(cluster.path).toBeTruthy();
  });

  it("starts over after a first start that was killed within initdb", async () => {
    const cluster = await prepareCluster(pristine, silentLog);
    expect(await readFile(join(cluster.path, "PG_VERSION"), "utf8")).toBe(`${cluster.binaries.major}\n`);
    expect((await readClusterState(pristine))?.initialized_at).toEqual(expect.any(String));
  });

  it("takes a cluster that was complete when the first start was killed", async () => {
    const state = newClusterState();
    await writeClusterState(dataDir, state);
    await mkdir(join(dataDir, "postgres"));
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "18\n");
    expect((await prepareCluster(dataDir, silentLog)).password).toBe(state.password);
    expect(await readdir(join(dataDir, "postgres"))).toEqual(["PG_VERSION"]);
  });

  it("names a database of another major and leaves it alone", async () => {
    await cp(pristine, dataDir, { recursive: true });
    const { uid, gid } = await stat(join(pristine, "postgres"));
    await chown(join(dataDir, "postgres"), uid, gid);
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "17\n");
    const before = await readdir(join(dataDir, "postgres"));
    await expect(prepareCluster(dataDir, silentLog)).rejects.toThrow(
      /PostgreSQL 17, and this program brings PostgreSQL 18/,
    );
    expect(await readdir(join(dataDir, "postgres"))).toEqual(before);
  });

  it("doesn't begin anew where the database was lost", async () => {
    await cp(join(pristine, "postgres.json"), join(dataDir, "postgres.json"));
    await expect(prepareCluster(dataDir, silentLog)).rejects.toThrow(/is gone/);
    expect(await readdir(dataDir)).toEqual(["postgres.json"]);
  });

  it("leaves a database alone whose password was lost or damaged", async () => {
    await mkdir(join(dataDir, "postgres"));
    await writeFile(join(dataDir, "postgres", "PG_VERSION"), "18\n");
    await expect(prepareCluster(dataDir, silentLog)).rejects.toThrow(/password is gone/);
    await writeFile(join(dataDir, "postgres.json"), '{"id":"');
    await expect(prepareCluster(dataDir, silentLog)).rejects.toThrow(/damaged/);
    expect(await readdir(join(dataDir, "postgres"))).toEqual(["PG_VERSION"]);
  });
});

describe("a cluster outside of its data directory", () => {
  it("isn't shared with a copy of the data directory, and follows a move", async () => {
    const state = { ...newClusterState(), cluster: join(home, "elsewhere", "postgres") };
    const outside = join(home, "elsewhere");
    await mkdir(outside);
    await writeClusterState(dataDir, state);
    await assertNotACopy(dataDir, outside, state.id);
    const copy = `${dataDir}-copy`;
    await cp(dataDir, copy, { recursive: true });
    await expect(assertNotACopy(copy, outside, state.id)).rejects.toThrow(/is a copy of/);
    await rm(dataDir, { recursive: true });
    const moved = `${dataDir}-moved`;
    await rename(copy, moved);
    await assertNotACopy(moved, outside, state.id);
    await assertNotACopy(moved, outside, state.id);
    expect((await readClusterState(moved))?.id).toBe(state.id);
  });
});

describe("preparePostgresBinaries", () => {
  it("makes the symbolic links that an installation without scripts lacks", async () => {
    const bare = join(dataDir, "package");
    await cp(binariesPackage(), bare, { recursive: true, verbatimSymlinks: true });
    const libraries = join(bare, "native", "lib");
    for (const entry of await readdir(libraries, { withFileTypes: true })) {
      if (entry.isSymbolicLink()) await rm(join(libraries, entry.name));
    }
    const account = await postgresAccount(null);
    const binaries = await preparePostgresBinaries(bare, dataDir, account, silentLog);
    expect(binaries.postgres).toBe(join(bare, "native", "bin", "postgres"));
    expect(binaries.major).toBe(18);
  });

  it("says what to do when the programs don't run here", async () => {
    const broken = join(dataDir, "package");
    await mkdir(join(broken, "native", "bin"), { recursive: true });
    await writeFile(join(broken, "native", "bin", "postgres"), "#!/nonexistent\n", { mode: 0o755 });
    await expect(preparePostgresBinaries(broken, dataDir, ownAccount(), silentLog)).rejects.toThrow(
      /set DATABASE_URL/,
    );
    expect(await readdir(dataDir)).toEqual(["package"]);
  });
});

/** Without the copy of PostgreSQL's programs, which exists if the other user can't access the checkout. */
async function ownEntries(directory: string): Promise<string[]> {
  return (await readdir(directory)).filter((entry) => !entry.startsWith("postgresql-"));
}
