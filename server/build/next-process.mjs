/** Runs `next build` in the current directory. Ends as soon as the process that requested the build is gone. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

process.once("disconnect", () => process.exit(1));
process.channel?.unref();

const next = join(process.cwd(), "node_modules/next/dist/bin/next");
process.argv = [process.execPath, next, "build"];
await import(pathToFileURL(next).href);
