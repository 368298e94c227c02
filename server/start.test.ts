import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isProcessAlive } from "@/server/build/process-alive.mjs";
import { createCheckout, until } from "@/server/build/testing";
import type { Checkout, Started } from "@/server/build/testing";

let checkout: Checkout;

beforeEach(async () => {
  checkout = await createCheckout();
});

afterEach(() => checkout.dispose());

async function run(...args: string[]) {
  return checkout.start(args).ended;
}

function serverPids({ stdout }: Started): number[] {
  return [...stdout().matchAll(/"pid":(\d+)/g)].map(([, pid]) => Number(pid));
}

function builds(): string[] {
  return readdirSync(join(checkout.root, "dist")).filter((name) => name !== "dev");
}

describe("what a start builds", () => {
  it("runs a command from the bundle alone, with stdout left to the program", async () => {
    const first = await run("cli", "key", "list", "--json");
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
    await run("server");
    const second = await run("server");
    expect(second.stderr).toBe("");
    expect(checkout.nextBuilds()).toHaveLength(1);
    const given: { distDir: string; next: string } = JSON.parse(second.stdout);
    expect(given.distDir).toBe(join(checkout.root, given.next));
    expect(readdirSync(given.distDir)).toContain("BUILD_ID");
  });

  it("adds the pages to a bundle that a command built before", async () => {
    await run("cli");
    const server = await run();
    expect(server.stderr).toContain("only a part of this source was built");
    expect(server.stderr).not.toContain("bundling");
    expect(builds()).toHaveLength(1);
  });

  it("builds again after a change of any source, and names the change", async () => {
    await run("server");
    await checkout.write("server/word.ts", `export const word: string = "second";`);
    const changed = await run("server");
    expect(changed.stderr).toContain("the source changed since the last build");
    expect(JSON.parse(changed.stdout)).toMatchObject({ word: "second" });
    await checkout.write("app/page.tsx", "export default () => 1;");
    await run("server");
    expect(checkout.nextBuilds()).toHaveLength(3);
  });

  it("does not build again for a test, tsconfig.json or a hidden file", async () => {
    await run("cli");
    await checkout.write("server/word.test.ts", "import './word';");
    await checkout.write("tsconfig.json", "{}");
    await checkout.write("server/.DS_Store", "");
    expect((await run("cli")).stderr).toBe("");
  });

  it("goes back to an older source without building, as long as its build is kept", async () => {
    await run("cli");
    await checkout.write("server/word.ts", `export const word: string = "second";`);
    await run("cli");
    await checkout.write("server/word.ts", `export const word: string = "first";`);
    const back = await run("cli");
    expect(back.stderr).toBe("");
    expect(JSON.parse(back.stdout)).toMatchObject({ word: "first" });
  });

  it("shows the errors of a source that can't be built, exits 1, and builds once they are mended", async () => {
    await checkout.write("app/broken", "");
    const page = await run("server");
    expect(page.code).toBe(1);
    expect(page.stderr).toContain("app/broken: does not compile");
    await checkout.remove("app/broken");
    await checkout.write("server/word.ts", "export const word = ;");
    const server = await run("server");
    expect(server.code).toBe(1);
    expect(server.stderr).toContain("server/word.ts:1:");
    expect(server.stderr).not.toContain("at async");
    await checkout.write("server/word.ts", `export const word: string = "third";`);
    expect(await run("server")).toMatchObject({ code: 0 });
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

  it("builds once for many that start at the same moment", async () => {
    const results = await Promise.all(["server", "cli", "server", "simulator"].map((name) => run(name)));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(checkout.nextBuilds()).toHaveLength(1);
    expect(results.filter(({ stderr }) => stderr.includes("bundling the server: done"))).toHaveLength(1);
  });

  it("redoes a build that was killed half way, and leaves nothing of it", async () => {
    await checkout.write("hold", "");
    const killed = checkout.start(["server"]);
    await until("it builds", () => checkout.nextBuilds().length === 1);
    killed.process.kill("SIGKILL");
    await killed.ended;
    await until("its next build ended too", () => checkout.nextBuilds().every((pid) => !isProcessAlive(pid)));
    await checkout.remove("hold");

    const again = await run("server");
    expect(again.code).toBe(0);
    expect(again.stderr).toContain("cut short");
    expect(checkout.nextBuilds()).toHaveLength(2);
    const names = builds().flatMap((hash) => readdirSync(join(checkout.root, "dist", hash)));
    expect(names.filter((name) => name.startsWith("next-"))).toHaveLength(1);
  });

  it("lets a waiting start take over when the one that builds is killed", async () => {
    await checkout.write("hold", "");
    const killed = checkout.start(["server"]);
    await until("the first builds", () => checkout.nextBuilds().length === 1);
    const waiting = checkout.start(["server"]);
    await until("the second waits", () => waiting.stderr().includes("another process is building"));
    killed.process.kill("SIGKILL");
    await until("the second builds", () => checkout.nextBuilds().length === 2);
    await checkout.remove("hold");
    expect(await waiting.ended).toMatchObject({ code: 0 });
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
    const [used] = builds();
    for (const word of ["second", "third", "fourth"]) {
      await checkout.write("server/word.ts", `export const word: string = "${word}";`);
      await run("cli");
    }
    expect(builds()).toHaveLength(3);
    expect(builds()).toContain(used);

    server.process.kill("SIGKILL");
    await server.ended;
    await checkout.write("server/word.ts", `export const word: string = "fifth";`);
    await run("cli");
    expect(builds()).toHaveLength(2);
    expect(builds()).not.toContain(used);
  });
});

describe("how a program ends", () => {
  it("passes the exit code on", async () => {
    expect(await run("cli", "exit-3")).toMatchObject({ code: 3 });
  });

  it("shows what a program threw with its place in the source, and exits 1", async () => {
    const { code, stderr } = await run("simulator", "throw");
    expect(code).toBe(1);
    expect(stderr).toContain("RangeError: the program failed");
    expect(stderr).toMatch(/server\/whatsapp\/simulator\/main\.ts:\d+/);
  });

  it("leaves signals to the program, because it is the same process", async () => {
    const server = checkout.start(["server", "stay"]);
    await until("the server runs", () => server.stdout().includes("first"));
    server.process.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: null, signal: "SIGTERM" });
  });
});

describe("npm", () => {
  it.each(["start", "dev", "simulator", "waypost"])(
    "passes a signal to `npm run %s` on to the program, ends when that has, and with its exit code",
    async (script) => {
      const npm = checkout.npm(["run", script, "--", "stay", "tidy"]);
      await until("the program runs", () => npm.stdout().includes("first"));
      npm.process.kill("SIGTERM");
      expect(await npm.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("tidied") });
      expect(serverPids(npm).map(isProcessAlive)).toEqual([false]);
    },
  );

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

  it("says that dependencies are missing or other than locked, and what to run", async () => {
    await checkout.write("node_modules/next/package.json", `{ "version": "0.9.0" }`);
    const other = await run("cli");
    expect(other.stderr).toContain("next is 0.9.0, wanted is 1.0.0");
    await checkout.remove("node_modules");
    const missing = await run("cli");
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toContain(`Run "npm ci" in ${checkout.root} first.`);
  });

  it("refuses an unknown command with the list of those there are", async () => {
    const { code, stderr } = await run("serve");
    expect(code).toBe(1);
    expect(stderr).toContain(`There is no command "serve".`);
    expect(stderr).toContain("simulator");
    mkdirSync(join(checkout.root, "dist"), { recursive: true });
    expect(builds()).toEqual([]);
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
