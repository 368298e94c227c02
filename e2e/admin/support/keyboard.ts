import { expect } from "vitest";
import type { Locator, Page } from "playwright";

const STEPS_MAX = 80;

/** Presses Tab until it has the focus. @throws Error where Tab doesn't get there. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Inputs that are drawn as something else are there, but can't be seen themselves.
  await target.waitFor({ state: "attached" });
  for (let step = 0; step < STEPS_MAX; step++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab doesn't reach it");
}

/** Goes there by Tab, and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

/** Waits until it has the focus by itself. */
export async function focused(target: Locator): Promise<void> {
  await expect.poll(() => hasFocus(target)).toBe(true);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}
