import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ensureDataDirectory } from "./data-directory";

test("a data directory that can't be is named, with what is expected; one that can is made", async () => {
  const root = await mkdtemp(path.join(tmpdir(), "waypost-data-"));
  onTestFinished(() => rm(root, { recursive: true }));
  const file = path.join(root, "file");
  await writeFile(file, "");
  await expect(ensureDataDirectory(file)).rejects.toThrow(
    /WAYPOST_DATA_DIR: .*file can't be used as a directory/,
  );
  await expect(ensureDataDirectory(path.join(file, "below"))).rejects.toThrow("WAYPOST_DATA_DIR");
  // On other systems than Linux, a name below a file is refused in the same way.
  const impossible = process.platform === "linux" ? "/proc/nope" : path.join(file, "nope");
  await expect(ensureDataDirectory(impossible)).rejects.toThrow("WAYPOST_DATA_DIR");
  const fresh = path.join(root, "a", "b");
  await ensureDataDirectory(fresh);
  expect((await stat(fresh)).isDirectory()).toBe(true);
});
