import { rmSync } from "node:fs";
import { join } from "node:path";
import { bundleOptions } from "./bundle.mjs";
import { createRestarter } from "./restarter.mjs";

/**
 * Runs the server from the source until SIGINT or SIGTERM, then exits with the server's own code. A change below
 * server, db or inngest restarts it; Next reloads the pages by itself. If the source has errors, they are shown and the
 * running server continues.
 *
 * @param {{ appRoot: string, argv: string[], report: (line: string) => void }} options
 */
export async function runDevelopment({ appRoot, argv, report }) {
  const root = join(appRoot, "dist", "dev");
  const bundle = join(root, "bundle");
  rmSync(bundle, { recursive: true, force: true });
  const restarter = createRestarter({
    file: join(bundle, "server.js"),
    options: { appRoot, distDir: join(root, "next"), argv, dev: true },
    report,
  });
  const esbuild = await import("esbuild");
  const context = await esbuild.context({
    ...bundleOptions(appRoot, bundle),
    plugins: [
      {
        name: "restart",
        setup: (build) =>
          build.onEnd(async ({ errors }) => {
            if (errors.length === 0) return restarter.restart();
            const messages = await esbuild.formatMessages(errors, {
              kind: "error",
              color: process.stderr.isTTY,
            });
            report(`the source has errors:\n${messages.join("")}`);
          }),
      },
    ],
  });
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) {
    process.on(signal, () => {
      void context.dispose();
      void restarter.stop(signal).then((code) => process.exit(code));
    });
  }
  await context.watch();
}
