import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { until } from "@/e2e/support/until";
import { isProcessAlive } from "@/server/build/process-alive.mjs";
import { type Checkout, createCheckout, serverPids } from "@/server/build/testing";

let checkout: Checkout;

beforeEach(async () => {
  checkout = await createCheckout();
});

afterEach(() => checkout.dispose());

describe("what a start builds", () => {
  it("runs a command from the bundle alone, with stdout left to the program", async () => {
    const first = await checkout.run("cli", "key", "list", "--json");
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      word: "first",
      appRoot: checkout.root,
      argv: ["key", "list", "--json"],
      nodeEnv: "production",
    });
    expect(first.stderr).toContain("nothing is built yet");
    expect(first.stderr).toContain("bundling the server: done");
    expect(checkout.nextBuilds()).toEqual([]);
  });

  it("builds both parts for the server once, and tells it where Next's is", async () => {
    await checkout.run("server");
    const second = await checkout.run("server");
    expect(second.stderr).toBe("");
    expect(checkout.nextBuilds()).toHaveLength(1);
    const given: { distDir: string; next: string } = JSON.parse(second.stdout);
    expect(given.distDir).toBe(join(checkout.root, given.next));
    expect(readdirSync(given.distDir)).toContain("BUILD_ID");
  });

  it("builds again after a change of any source, and names the change", async () => {
    await checkout.run("server");
    await checkout.write("server/word.ts", `export const word: string = "second";`);
    const changed = await checkout.run("server");
    expect(changed.stderr).toContain("the source changed since the last build");
    expect(JSON.parse(changed.stdout)).toMatchObject({ word: "second" });
    await checkout.write("app/page.tsx", "export default () => 1;");
    await checkout.run("server");
    expect(checkout.nextBuilds()).toHaveLength(3);
  });

  it("shows the errors of a source that can't be built, exits 1, and builds once they are mended", async () => {
    await checkout.write("app/broken", "");
    const page = await checkout.run("server");
    expect(page.code).toBe(1);
    expect(page.stderr).toContain("app/broken: does not compile");
    await checkout.remove("app/broken");
    await checkout.write("server/word.ts", "export const word = ;");
    const server = await checkout.run("server");
    expect(server.code).toBe(1);
    expect(server.stderr).toContain("server/word.ts:1:");
    expect(server.stderr).not.toContain("at async");
    await checkout.write("server/word.ts", `export const word: string = "third";`);
    expect(await checkout.run("server")).toMatchObject({ code: 0 });
  });
});

describe("starts that meet", () => {
  it("lets one of two build and the other use that build", async () => {
    await checkout.write("hold", "");
    const first = checkout.start(["server"]);
    await until("the first builds", () => checkout.nextBuilds().length === 1);
    const second = checkout.start(["server"]);
    await until("the second waits", () => second.stderr().includes("another process is building"));
    await checkout.remove("hold");
    const results = await Promise.all([first.ended, second.ended]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect(new Set(results.map(({ stdout }) => JSON.parse(stdout).distDir)).size).toBe(1);
    expect(checkout.nextBuilds()).toHaveLength(1);
  });

  it("redoes a build that was killed half way, and leaves nothing of it", async () => {
    await checkout.write("hold", "");
    const killed = checkout.start(["server"]);
    await until("it builds", () => checkout.nextBuilds().length === 1);
    killed.process.kill("SIGKILL");
    await killed.ended;
    await until("its next build ended too", () => checkout.nextBuilds().every((pid) => !isProcessAlive(pid)));
    await checkout.remove("hold");

    const again = await checkout.run("server");
    expect(again.code).toBe(0);
    expect(again.stderr).toContain("cut short");
    expect(checkout.nextBuilds()).toHaveLength(2);
    const names = checkout.builds().flatMap((hash) => readdirSync(join(checkout.root, "dist", hash)));
    expect(names.filter((name) => name.startsWith("next-"))).toHaveLength(1);
  });

  it("builds again when the source changes during the build", async () => {
    await checkout.write("hold", "");
    const started = checkout.start(["server"]);
    await until("it builds", () => checkout.nextBuilds().length === 1);
    await checkout.write("server/word.ts", `export const word: string = "changed";`);
    await checkout.remove("hold");
    const { stderr, stdout } = await started.ended;
    expect(stderr).toContain("the source changed during the build");
    expect(JSON.parse(stdout)).toMatchObject({ word: "changed" });
  });

  it("keeps the newest two builds and every one that a living process uses, and prunes the rest", async () => {
    const server = checkout.start(["server", "stay"]);
    await until("the server runs", () => server.stdout().includes("first"));
    const [used] = checkout.builds();
    for (const word of ["second", "third", "fourth"]) {
      await checkout.write("server/word.ts", `export const word: string = "${word}";`);
      await checkout.run("cli");
    }
    expect(checkout.builds()).toHaveLength(3);
    expect(checkout.builds()).toContain(used);

    server.process.kill("SIGKILL");
    await server.ended;
    await checkout.write("server/word.ts", `export const word: string = "fifth";`);
    await checkout.run("cli");
    expect(checkout.builds()).toHaveLength(2);
    expect(checkout.builds()).not.toContain(used);
  });
});

describe("how a program ends", () => {
  it("shows what a program threw with its place in the source, and exits 1", async () => {
    const { code, stderr } = await checkout.run("simulator", "throw");
    expect(code).toBe(1);
    expect(stderr).toContain("RangeError: the program failed");
    expect(stderr).toMatch(/server\/simulator\/main\.ts:\d+/);
  });
});

describe("npm", () => {
  it("passes a signal to `npm start` on to the program, ends when that has, and with its exit code", async () => {
    const npm = checkout.npm(["run", "start", "--", "stay", "tidy"]);
    await until("the program runs", () => npm.stdout().includes("first"));
    npm.process.kill("SIGTERM");
    expect(await npm.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("tidied") });
    expect(serverPids(npm).map(isProcessAlive)).toEqual([false]);
  });

  it("passes the arguments and the exit code on", async () => {
    const ended = await checkout.npm(["run", "waypost", "--", "two words", "exit-3"]).ended;
    expect(ended.code).toBe(3);
    expect(ended.stdout).toContain(`"argv":["two words","exit-3"]`);
  });
});

describe("what stands in the way of a start", () => {
  it("names the Node that is needed and the one that runs", async () => {
    const old = "Object.defineProperty(process, 'versions', { value: { node: '18.20.4' } })";
    const { ended } = checkout.start(["cli"], {
      nodeOptions: ["--import", `data:text/javascript,${encodeURIComponent(old)}`],
    });
    const { code, stderr } = await ended;
    expect(code).toBe(1);
    expect(stderr).toBe("waypost: Waypost needs Node 20.19 or newer; this is Node 18.20.4.\n");
  });

  it("says how many open files it needs, where the system allows fewer", async () => {
    const start = promisify(execFile)(
      "sh",
      ["-c", 'ulimit -n 256 && exec "$0" server/start.mjs cli', process.execPath],
      {
        cwd: checkout.root,
      },
    );
    await expect(start).rejects.toMatchObject({
      code: 1,
      stderr: `waypost: Waypost needs at least 512 open files, and the system allows 256. Raise the limit first, for example with "ulimit -n 4096".\n`,
    });
  });

  it("says that dependencies are missing or other than locked, and what to run", async () => {
    await checkout.write("node_modules/next/package.json", `{ "version": "0.9.0" }`);
    const other = await checkout.run("cli");
    expect(other.stderr).toContain("next is 0.9.0, wanted is 1.0.0");
    await checkout.remove("node_modules");
    const missing = await checkout.run("cli");
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toContain(`Run "npm ci" in ${checkout.root} first.`);
  });

  it("refuses an unknown command with the list of those there are", async () => {
    const { code, stderr } = await checkout.run("serve");
    expect(code).toBe(1);
    expect(stderr).toContain(`There is no command "serve".`);
    expect(stderr).toContain("simulator");
    mkdirSync(join(checkout.root, "dist"), { recursive: true });
    expect(checkout.builds()).toEqual([]);
  });
});

describe("development", () => {
  it("restarts the server on a change, keeps it through errors, and stops it with itself", async () => {
    const dev = checkout.start(["dev", "stay"]);
    await until("the server runs", () => dev.stdout().includes(`"word":"first"`));
    expect(JSON.parse(dev.stdout())).toMatchObject({ dev: true, nodeEnv: "development" });

    writeFileSync(join(checkout.root, "server/word.ts"), "export const word = ;");
    await until("the error is shown", () => dev.stderr().includes("the source has errors"));
    expect(dev.stdout()).not.toContain("second");
    writeFileSync(join(checkout.root, "server/word.ts"), `export const word: string = "second";`);
    await until("the new server runs", () => dev.stdout().includes(`"word":"second"`));

    expect(dev.stderr()).not.toContain("waiting for a change");

    dev.process.kill("SIGTERM");
    await dev.ended;
    expect(serverPids(dev).map(isProcessAlive)).toEqual([false, false]);
  });

  it("ends the server when it is itself killed", async () => {
    const dev = checkout.start(["dev", "stay"]);
    await until("the server runs", () => serverPids(dev).length === 1);
    dev.process.kill("SIGKILL");
    await until("the server ended", () => !serverPids(dev).some(isProcessAlive));
  });
});
