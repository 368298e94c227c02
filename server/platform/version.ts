import { readFile } from "node:fs/promises";
import path from "node:path";

/** Returns the program's version from package.json. `unknown` if the file can't be read. */
export async function versionOf(appRoot: string): Promise<string> {
  try {
    const { version }: { version?: unknown } = JSON.parse(
      await readFile(path.join(/* turbopackIgnore: true */ appRoot, "package.json"), "utf8"),
    );
    return typeof version === "string" ? version : "unknown";
  } catch {
    return "unknown";
  }
}
