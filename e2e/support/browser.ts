import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright";

/** Names a Chromium program, or the npm package that contains one. */
export const BROWSER_VARIABLE = "CHROMIUM_PATH";
/** The headless shell draws no invisible windows: pages take a third less time, and new ones half. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
] as const;

let opened: Browser | undefined;

/**
 * Returns the headless Chromium of this process, which ends with it. A start costs seconds, so successive files in a
 * process share it, and close the contexts that they open. Uses the program that the variable names, else the
 * machine's.
 * @throws Error if there is none.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env[BROWSER_VARIABLE] ?? installedBrowser();
  if (executablePath === undefined)
    throw new Error(`No Chromium was found. Name the program of one in ${BROWSER_VARIABLE}.`);
  if (opened === undefined || !opened.isConnected()) opened = await launchBrowser(executablePath);
  return opened;
}

/** Closes everything that is open in it. */
export async function closeContexts(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** Starts it headless. @throws Error if that program can't be started. */
export function launchBrowser(executablePath: string): Promise<Browser> {
  // Chromium refuses to run in its sandbox as root.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ args, executablePath });
}

/** Returns the machine's program. */
export function installedBrowser(): string | undefined {
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
