import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { otherNode } from "@/e2e/support/other-node";
import { REPOSITORY } from "@/e2e/support/program";

/** They have a PostgreSQL and servers of their own. */
const RUN_MS_MAX = limitMs(1_200_000);

let node: Awaited<ReturnType<typeof otherNode>>;
beforeAll(async () => void (node = await otherNode()));

/** Of the start, the conformance and the crash. */
const FILES = [
  "server/start.test.ts",
  "e2e/first-message.test.ts",
  "db/embedded/start.test.ts",
  "e2e/conformance/node-mount.test.ts",
  "e2e/conformance/next-mount.test.ts",
  "e2e/crash/server-and-postgres.test.ts",
];

test(
  "the tests of the start, the conformance and the crash pass on the other Node that is supported",
  async () => {
    const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "e2e/vitest.config.ts", ...FILES];
    const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|TEST$)/.test(name));
    const run = spawn(node.program, args, {
      cwd: REPOSITORY,
      env: { ...Object.fromEntries(kept), NODE_ENV: "test" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [run.stdout, run.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => void (said += text));
    }
    const timer = setTimeout(() => run.kill("SIGTERM"), RUN_MS_MAX);
    const [code] = await once(run, "exit");
    clearTimeout(timer);
    expect({ code, said: code === 0 ? "" : said.slice(-20_000) }).toEqual({ code: 0, said: "" });
    expect(said).toMatch(new RegExp(`Test Files.*${FILES.length} passed`));
  },
  RUN_MS_MAX + limitMs(60_000),
);
