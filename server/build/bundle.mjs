import { StartError } from "./start-error.mjs";

/**
 * The programs that can be started, by the name of their file in the bundle. Each exports `main({ appRoot, distDir,
 * argv, dev? }): Promise<void>` and does nothing when it is only imported.
 */
export const PROGRAMS = /** @type {const} */ ({
  server: "server/main.ts",
  cli: "server/ops/cli/main.ts",
  simulator: "server/simulator/main.ts",
});

/**
 * Returns the options of esbuild for all programs in one bundle with shared chunks. Packages are external.
 * tsconfig.json has no influence, because it doesn't count as source.
 *
 * @param {string} appRoot
 * @param {string} outdir absolute
 * @returns {import("esbuild").BuildOptions}
 */
export function bundleOptions(appRoot, outdir) {
  return {
    absWorkingDir: appRoot,
    entryPoints: PROGRAMS,
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    alias: { "@": appRoot },
    sourcemap: "linked",
    chunkNames: "chunks/[name]-[hash]",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: true } },
    logLevel: "silent",
  };
}

/**
 * Bundles every program into `outdir`. Throws a StartError with esbuild's messages if the source has errors.
 *
 * @param {{ appRoot: string, outdir: string }} options
 */
export async function buildBundle({ appRoot, outdir }) {
  const esbuild = await import("esbuild");
  try {
    await esbuild.build(bundleOptions(appRoot, outdir));
  } catch (error) {
    const messages = error instanceof Error ? error.message : String(error);
    throw new StartError(`The server could not be bundled.\n${messages}`);
  } finally {
    await esbuild.stop();
  }
}
