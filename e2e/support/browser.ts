import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright";

const NAMES = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"] as const;

/**
 * A headless Chromium: the one that is installed, else the one that Playwright has downloaded.
 * @throws Error that says how to get one, where there is none.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = installed();
  // Chromium refuses to run in its sandbox as root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  try {
    return await chromium.launch({ args, executablePath });
  } catch (cause) {
    if (executablePath !== undefined) throw cause;
    throw new Error(
      "No Chromium was found. Install one (`apt-get install chromium`, or `npx playwright install chromium`) and run again.",
      { cause },
    );
  }
}

function installed(): string | undefined {
  const directories = (process.env.PATH ?? "").split(delimiter).filter((directory) => directory !== "");
  return directories.flatMap((directory) => NAMES.map((name) => join(directory, name))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
