import { access, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isDataDirectoryOwned } from "@/db/embedded";
import { eventually } from "@/e2e/support/eventually";
import { createClosers } from "@/server/lib/closers";
import { readConfig } from "@/server/platform/config";
import { createLogger } from "@/server/platform/log";
import { openDatabase } from "./database";

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(path.join(tmpdir(), "waypost-open-"));
  // As root, PostgreSQL runs as a user who must be able to access the data directory.
  await chmod(parent, 0o711);
});
afterEach(() => rm(parent, { recursive: true, force: true }));

describe("the embedded database", () => {
  test("is given up whole when a stop comes while it starts: PostgreSQL ends before the directory is let go", async () => {
    const config = readConfig({ NODE_ENV: "test", WAYPOST_DATA_DIR: path.join(parent, "data") }, "/app");
    const closers = createClosers();
    const log = createLogger({ level: "silent" });
    let isOpen = false;
    const opening = openDatabase(config, log, closers).then(
      () => (isOpen = true),
      () => undefined,
    );
    await eventually(() => access(path.join(config.dataDir, "postgres")));
    expect(isOpen).toBe(false);
    const closing = closers.closeAll();
    await opening;
    // At this moment at the latest, PostgreSQL is running, and is being stopped.
    expect(await isDataDirectoryOwned(config.dataDir)).toBe(true);
    await closing;
    expect(await isDataDirectoryOwned(config.dataDir)).toBe(false);
  });
});
