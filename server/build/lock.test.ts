import { spawn } from "node:child_process";
import { existsSync, utimesSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { acquireBuildLock } from "@/server/build/lock.mjs";
import { until } from "@/e2e/support/until";

const HOLDER = `
const { acquireBuildLock } = await import(process.argv[1]);
await acquireBuildLock(process.argv[2], { platform: process.argv[3], onWait() {} });
console.log("held");
setInterval(() => {}, 1000);
`;

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "waypost-lock-"));
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function startHolder(platform: NodeJS.Platform) {
  const module = join(import.meta.dirname, "lock.mjs");
  const args = ["--input-type=module", "-e", HOLDER, module, root, platform];
  const holder = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let isHeld = false;
  holder.stdout.once("data", () => (isHeld = true));
  await until("the holder has the lock", () => isHeld);
  return holder;
}

// darwin represents the systems without abstract sockets. Its lock is a file and works on any system.
const PLATFORMS: NodeJS.Platform[] = [...new Set([process.platform, "darwin" as const])];

describe.each(PLATFORMS)("the build lock of %s", (platform) => {
  it("is held by one at a time, and tells who waits", async () => {
    const order: string[] = [];
    const first = await acquireBuildLock(root, { platform, onWait: () => order.push("first waits") });
    const second = acquireBuildLock(root, { platform, onWait: () => order.push("second waits") });
    await until("the second waits", () => order.length > 0);
    order.push("release");
    await first.release();
    await (await second).release();
    expect(order).toEqual(["second waits", "release"]);
  });

  it("is free as soon as its holder is killed", async () => {
    const holder = await startHolder(platform);
    let waits = 0;
    const lock = acquireBuildLock(root, { platform, onWait: () => (waits += 1) });
    await until("this process waits", () => waits === 1);
    holder.kill("SIGKILL");
    await (await lock).release();
    expect(waits).toBe(1);
  });
});

describe("the file of the build lock", () => {
  const file = () => join(root, "dist", "build.lock");

  it("does not block when it names a living process that is not its holder", async () => {
    await acquireBuildLock(root, { platform: "darwin", onWait: () => {} }).then((lock) => lock.release());
    await writeFile(file(), `${process.ppid} left-behind-before-a-reboot`);
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(file(), longAgo, longAgo);
    const lock = await acquireBuildLock(root, { platform: "darwin", onWait: () => {} });
    await lock.release();
    expect(existsSync(file())).toBe(false);
  });
});
