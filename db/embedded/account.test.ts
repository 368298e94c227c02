import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blockingDirectory, grants, parsePasswd } from "@/db/embedded/account";
import { removeDirectory, temporaryDirectory } from "@/db/embedded/testing";

const stranger = { uid: 54_321, gid: 54_321, name: "stranger" };
let directory: string;
beforeAll(async () => void (directory = await temporaryDirectory()));
afterAll(() => removeDirectory(directory));

describe("parsePasswd", () => {
  it("reads users, without root, comments and ids that don't fit", () => {
    const text = [
      "# comment",
      "root:x:0:0:root:/root:/bin/bash",
      "postgres:x:101:104:PostgreSQL administrator,,,:/var/lib/postgresql:/bin/bash",
      "nobody:*:4294967294:4294967294:Unprivileged User:/var/empty:/usr/bin/false",
      "broken:x",
      "",
    ].join("\n");
    expect(parsePasswd(text)).toEqual([{ name: "postgres", uid: 101, gid: 104 }]);
  });
});

describe("blockingDirectory", () => {
  it("names the outermost directory that the account can't pass", async () => {
    const closed = join(directory, "closed");
    await mkdir(join(closed, "a", "b"), { recursive: true });
    await chmod(closed, 0o700);
    await chmod(join(closed, "a"), 0o700);
    expect(await blockingDirectory(join(closed, "a", "b"), stranger)).toBe(closed);
    await chmod(closed, 0o711);
    expect(await blockingDirectory(join(closed, "a", "b"), stranger)).toBe(join(closed, "a"));
    await chmod(join(closed, "a"), 0o711);
    expect(await blockingDirectory(join(closed, "a", "b"), stranger)).toBeNull();
  });

  it("leaves this process's own account to the system", async () => {
    const closed = join(directory, "own");
    await mkdir(closed, { mode: 0o000 });
    const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, name: "own" };
    expect(await blockingDirectory(closed, own)).toBeNull();
  });
});

describe("grants", () => {
  it.each([
    [0o604, 0o4, true],
    [0o640, 0o4, false],
    [0o754, 0o5, false],
    [0o755, 0o5, true],
  ])("judges mode %o for bits %o of a stranger", async (mode, bits, expected) => {
    const path = join(directory, `file-${mode}-${bits}`);
    await writeFile(path, "");
    await chmod(path, mode);
    expect(await grants(path, stranger, bits)).toBe(expected);
  });

  it("judges by the group's bits alone for a member of the group", async () => {
    const path = join(directory, "group");
    await writeFile(path, "");
    await chmod(path, 0o607);
    expect(await grants(path, { ...stranger, gid: process.getgid?.() ?? 0 }, 0o4)).toBe(false);
  });
});
