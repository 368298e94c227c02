import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import ts from "typescript";
import { z } from "zod";
import { REPOSITORY } from "@/e2e/support/program";

const run = promisify(execFile);
const CLIENT = join(REPOSITORY, "server/client");

/** The client as its users have it: packed, and installed into a directory of theirs. */
export interface InstalledClient {
  readonly directory: string;
  /** Files of the package. */
  readonly files: readonly string[];
  /** Writes a program in TypeScript beside it, also as JavaScript. */
  write(name: string, source: string): Promise<void>;
  remove(): Promise<void>;
}

/** Packs the client and installs the package, without a network. */
export async function installClient(): Promise<InstalledClient> {
  const directory = await mkdtemp(join(tmpdir(), "waypost-client-"));
  const packed = await packInto(directory);
  await writeFile(join(directory, "package.json"), JSON.stringify({ type: "module", private: true }));
  const tarball = join(directory, packed.filename);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: directory });
  return {
    directory,
    files: packed.files.map(({ path }) => path),
    async write(name, source) {
      await writeFile(join(directory, name), source);
      const { code } = await transform(source, { loader: "ts", format: "esm" });
      await writeFile(join(directory, name.replace(/\.ts$/, ".js")), code);
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Packs a copy, because files that run at the same time pack too. The copy finds the tools of the repository. */
async function packInto(directory: string) {
  const cache = join(REPOSITORY, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const copy = await mkdtemp(join(cache, "waypost-client-"));
  try {
    await cp(CLIENT, copy, { recursive: true, filter: (path) => path !== join(CLIENT, "dist") });
    const { stdout } = await run("npm", ["pack", copy, "--json", "--pack-destination", directory]);
    const [packed] = packedSchema.parse(JSON.parse(stdout));
    return packed;
  } finally {
    await rm(copy, { recursive: true });
  }
}

const packedSchema = z.tuple([
  z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }),
]);

const RESOLUTIONS = {
  nodenext: { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  bundler: { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler },
} as const;
export type Resolution = keyof typeof RESOLUTIONS;

/** Compiles programs beside the client under strict rules, for Node, or for browsers. @returns what is wrong. */
export function problemsIn(
  { directory }: InstalledClient,
  names: readonly string[],
  { resolution, isForBrowsers = false }: { resolution: Resolution; isForBrowsers?: boolean },
): readonly string[] {
  const platform = isForBrowsers
    ? { lib: ["lib.es2022.d.ts", "lib.dom.d.ts"], types: [] }
    : { lib: ["lib.es2022.d.ts"], types: ["node"] };
  const program = ts.createProgram(
    names.map((name) => join(directory, name)),
    {
      ...RESOLUTIONS[resolution],
      ...platform,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      target: ts.ScriptTarget.ES2022,
      typeRoots: [join(REPOSITORY, "node_modules/@types")],
    },
  );
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
}

/** The samples of the package's README, by name. */
export async function readSamples(): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(CLIENT, "README.md"), "utf8");
  const samples = text.matchAll(/^```ts title="(\S+)"\n([^]*?)^```$/gm);
  return new Map([...samples].map(([, name = "", source = ""]) => [name, source]));
}
