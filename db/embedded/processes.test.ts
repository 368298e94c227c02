import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeDirectory, temporaryDirectory } from "@/db/embedded/testing";
import { endPostgresOf, isPostgresOf, signal } from "@/db/embedded/processes";

let directory: string;
beforeAll(async () => void (directory = await temporaryDirectory()));
afterAll(() => removeDirectory(directory));

describe("processes of a cluster", () => {
  it("are never other programs, even ones that work in its directory", async () => {
    const foreign = spawn("sleep", ["60"], { cwd: directory });
    await once(foreign, "spawn");
    const pid = foreign.pid ?? 0;
    expect(await isPostgresOf(pid, directory)).toBe(false);
    expect(await endPostgresOf(directory)).toBe(0);
    expect(signal(pid, "SIGKILL")).toBe(true);
    await once(foreign, "close");
    expect(await isPostgresOf(pid, directory)).toBe(false);
    expect(signal(pid, "SIGKILL")).toBe(false);
  });

  it("are none where there is no cluster", async () => {
    expect(await endPostgresOf("/nowhere")).toBe(0);
    expect(await isPostgresOf(process.pid, "/nowhere")).toBe(false);
  });
});
