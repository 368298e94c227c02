import { chmod, mkdir, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ownAccount } from "@/db/embedded/account";
import { removeDirectory, temporaryDirectory } from "@/db/embedded/testing";
import { prepareSocketDirectory, removeSocketDirectory } from "@/db/embedded/socket-directory";

const account = ownAccount();
const homes: string[] = [];
let home: string;
beforeEach(async () => {
  home = await temporaryDirectory();
  homes.push(home);
  vi.stubEnv("TMPDIR", home);
});
afterEach(() => void vi.unstubAllEnvs());
afterAll(() => Promise.all(homes.map(removeDirectory)));

describe("prepareSocketDirectory", () => {
  it("is private, and the same each time", async () => {
    const directory = await prepareSocketDirectory(home, account);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect(await prepareSocketDirectory(home, account)).toBe(directory);
  });

  it("differs between data directories", async () => {
    const other = join(home, "other");
    await mkdir(other);
    expect(await prepareSocketDirectory(other, account)).not.toBe(
      await prepareSocketDirectory(home, account),
    );
  });

  it("refuses a directory that others can enter", async () => {
    const directory = await prepareSocketDirectory(home, account);
    await chmod(directory, 0o755);
    await expect(prepareSocketDirectory(home, account)).rejects.toThrow(/mode 700/);
  });

  it("refuses a symbolic link in its place", async () => {
    const directory = await prepareSocketDirectory(home, account);
    await removeSocketDirectory(directory);
    await symlink(home, directory);
    await expect(prepareSocketDirectory(home, account)).rejects.toThrow(/something else/);
  });

  it("stays short enough for a socket when the temp directory isn't", async () => {
    const long = join(home, "x".repeat(90));
    await mkdir(long);
    vi.stubEnv("TMPDIR", long);
    const directory = await prepareSocketDirectory(home, account);
    expect(Buffer.byteLength(join(directory, ".s.PGSQL.5432"))).toBeLessThanOrEqual(103);
    await removeSocketDirectory(directory);
  });
});
