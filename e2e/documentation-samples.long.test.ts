import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { limitMs } from "@/e2e/support/machine-speed";
import { REPOSITORY } from "@/e2e/support/program";
import { openReferenceSamples, type ReferenceSamples } from "@/e2e/support/reference-samples";

/** The source of the client that the TypeScript samples import as waypost-client. */
const CLIENT = join(REPOSITORY, "server/client/index.ts");
const RUN_MS_MAX = limitMs(300_000);
const run = promisify(execFile);

let world: ReferenceSamples;
/** Below node_modules, so that samples find types of Node.js. */
let directory: string;

beforeAll(async () => {
  world = await openReferenceSamples();
  const cache = join(REPOSITORY, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  directory = await mkdtemp(join(cache, "waypost-reference-"));
});
afterAll(async () => {
  await rm(directory, { recursive: true });
  await world.close();
});

/** Operations whose answer has no body, or is a file. */
const SILENT = new Set(["deleteWebhook", "getMessageMedia"]);
const samplesIn = (language: string) => world.samples.filter((sample) => sample.language === language);

test(
  "every sample in Python runs with httpx, and is accepted",
  async () => {
    const python = join(directory, "python", "bin", "python3");
    await run("python3", ["-m", "venv", join(directory, "python")]);
    await run(python, ["-m", "pip", "install", "--quiet", "httpx==0.28.1"]);
    const samples = samplesIn("python");
    expect(samples.length).toBeGreaterThan(15);
    for (const { operationId, text, env } of samples) {
      // The sample itself raises an error for a refusal.
      const printed = execFileSync(python, ["-c", text], { cwd: world.directory, env, encoding: "utf8" });
      expect(printed.startsWith("{")).toBe(!SILENT.has(operationId));
    }
  },
  RUN_MS_MAX,
);

test("every sample in TypeScript can be parsed", () => {
  const samples = samplesIn("typescript");
  expect(samples.length).toBeGreaterThan(15);
  for (const { text } of samples) {
    const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
    expect(diagnostics.map(({ messageText }) => messageText)).toEqual([]);
  }
});

describe("with waypost-client", () => {
  test("every sample in TypeScript is without an error under strict rules", async () => {
    const files = samplesIn("typescript").map(({ text }, place) => ({
      file: join(directory, `${place}.ts`),
      text,
    }));
    await Promise.all(files.map(({ file, text }) => writeFile(file, text)));
    const program = ts.createProgram(
      files.map(({ file }) => file),
      {
        strict: true,
        noEmit: true,
        noUncheckedIndexedAccess: true,
        skipLibCheck: true,
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        moduleResolution: ts.ModuleResolutionKind.Bundler,
        moduleDetection: ts.ModuleDetectionKind.Force,
        allowImportingTsExtensions: true,
        lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
        types: ["node"],
        typeRoots: [join(REPOSITORY, "node_modules", "@types")],
        paths: { "waypost-client": [CLIENT], "@/*": [join(REPOSITORY, "*")] },
      },
    );
    const faults = ts
      .getPreEmitDiagnostics(program)
      .map(
        ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
      );
    expect(faults).toEqual([]);
  });

  test(
    "every sample in TypeScript runs, and is accepted",
    async () => {
      for (const [place, { text, env, operationId }] of samplesIn("typescript").entries()) {
        const file = join(directory, `${place}.mjs`);
        await build({
          stdin: { contents: text, loader: "ts", resolveDir: directory },
          outfile: file,
          bundle: true,
          format: "esm",
          platform: "node",
          alias: { "waypost-client": CLIENT },
          logLevel: "silent",
        });
        const { stderr } = await run(process.execPath, [file], { cwd: world.directory, env });
        expect({ operationId, stderr }).toEqual({ operationId, stderr: "" });
      }
    },
    RUN_MS_MAX,
  );
});
