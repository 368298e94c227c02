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
  it("adds the pages to a bundle that a command built before", async () => {
    await checkout.run("cli");
    const server = await checkout.run();
    expect(server.stderr).toContain("only a part of this source was built");
    expect(server.stderr).not.toContain("bundling");
    expect(checkout.builds()).toHaveLength(1);
  });

  it("does not build again for a test, tsconfig.json or a hidden file", async () => {
    await checkout.run("cli");
    await checkout.write("server/word.test.ts", "import './word';");
    await checkout.write("tsconfig.json", "{}");
    await checkout.write("server/.DS_Store", "");
    expect((await checkout.run("cli")).stderr).toBe("");
  });

  it("goes back to an older source without building, as long as its build is kept", async () => {
    await checkout.run("cli");
    await checkout.write("server/word.ts", `export const word: string = "second";`);
    await checkout.run("cli");
    await checkout.write("server/word.ts", `export const word: string = "first";`);
    const back = await checkout.run("cli");
    expect(back.stderr).toBe("");
    expect(JSON.parse(back.stdout)).toMatchObject({ word: "first" });
  });
});

describe("starts that meet", () => {
  it("builds once for many that start at the same moment", async () => {
    const results = await Promise.all(
      ["server", "cli", "server", "simulator"].map((name) => checkout.run(name)),
    );
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(checkout.nextBuilds()).toHaveLength(1);
    expect(results.filter(({ stderr }) => stderr.includes("bundling the server: done"))).toHaveLength(1);
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
});

describe("how a program ends", () => {
  it("passes the exit code on", async () => {
    expect(await checkout.run("cli", "exit-3")).toMatchObject({ code: 3 });
  });

  it("leaves signals to the program, because it is the same process", async () => {
    const server = checkout.start(["server", "stay"]);
    await until("the server runs", () => server.stdout().includes("first"));
    server.process.kill("SIGTERM");
    expect(await server.ended).toMatchObject({ code: null, signal: "SIGTERM" });
  });

  it.each(["dev", "simulator", "waypost"])(
    "passes a signal to `npm run %s` on to the program, ends when that has, and with its exit code",
    async (script) => {
      const npm = checkout.npm(["run", script, "--", "stay", "tidy"]);
      await until("the program runs", () => npm.stdout().includes("first"));
      npm.process.kill("SIGTERM");
      expect(await npm.ended).toMatchObject({ code: 0, stdout: expect.stringContaining("tidied") });
      expect(serverPids(npm).map(isProcessAlive)).toEqual([false]);
    },
  );
});
