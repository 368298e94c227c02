import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { programOfNode } from "@/e2e/support/other-node";
import { REPOSITORY } from "@/e2e/support/program";
import { NODE_MIN } from "@/server/build/preflight.mjs";

/** These runs have their own PostgreSQL and servers. */
const RUN_MS_MAX = limitMs(1_200_000);

const FIRST_MESSAGE = "e2e/first-message.test.ts";
/** Each version has its own `fetch` and streams. */
const CLIENT = readdirSync(join(REPOSITORY, "server/client"))
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => `server/client/${name}`);

/**
 * The tests for each version that the README names: on the latest, what depends most on Node (processes, sockets,
 * streams); on older ones, that Waypost starts and sends. That the oldest has every function that is called is proved
 * by the types: `@types/node` is of that version.
 */
const RUNS = [
  {
    version: "24",
    files: [
      "server/start.test.ts",
      FIRST_MESSAGE,
      "db/embedded/start.test.ts",
      "e2e/hostile/node-mount.test.ts",
      "e2e/client/client.test.ts",
      ...CLIENT,
    ],
  },
  { version: "22", files: [FIRST_MESSAGE, ...CLIENT] },
  { version: `${NODE_MIN.major}.${NODE_MIN.minor}.0`, files: [FIRST_MESSAGE, ...CLIENT] },
] as const;

/** All tests run on the current Node anyway. */
const isElsewhere = ({ version }: { readonly version: string }) =>
  !`${process.versions.node}.`.startsWith(`${version}.`);

test("the versions of Node that the README names are those that tests run on", async () => {
  const readme = await readFile(join(REPOSITORY, "README.md"), "utf8");
  const [, ...named] = /Node\.js (\d+) or (\d+), and nothing else \(([\d.]+) still works/.exec(readme) ?? [];
  expect(named.map((version) => (version.includes(".") ? `${version}.0` : version)).toSorted()).toEqual(
    RUNS.map(({ version }) => version).toSorted(),
  );
});

test.each(RUNS.filter(isElsewhere))(
  "what is to be proved of Node $version passes on it: $files",
  async ({ version, files }) => {
    const program = await programOfNode(version);
    const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "e2e/vitest.config.ts", ...files];
    const kept = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|TEST$)/.test(name));
    const env = {
      ...Object.fromEntries(kept),
      NODE_ENV: "test",
      PATH: `${dirname(program)}${delimiter}${process.env.PATH ?? ""}`,
    } as const;
    const run = spawn(program, args, { cwd: REPOSITORY, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    for (const stream of [run.stdout, run.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => void (said += text));
    }
    const timer = setTimeout(() => run.kill("SIGTERM"), RUN_MS_MAX);
    const [code] = await once(run, "exit");
    clearTimeout(timer);
    expect({ code, said: code === 0 ? "" : said.slice(-20_000) }).toEqual({ code: 0, said: "" });
    expect(said).toMatch(new RegExp(`Test Files.*${files.length} passed`));
  },
  RUN_MS_MAX + limitMs(60_000),
);
