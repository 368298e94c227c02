import { expect } from "vitest";
import type { Locator, Page } from "playwright";

const STEPS_MAX = 80;

/** Presses Tab until the target has the focus. @throws Error if Tab doesn't reach it. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  // Custom-drawn inputs exist but aren't visible themselves.
  await target.waitFor({ state: "attached" });
  for (let step = 0; step < STEPS_MAX; step++) {
    if (await hasFocus(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("Tab doesn't reach it");
}

/** Moves there by Tab, and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await press(page, target, "Enter");
}

/** Moves there by Tab, and presses a key. */
export async function press(page: Page, target: Locator, key: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Moves to an item of the open menu by the arrow keys, and presses Enter. */
export async function chooseItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole("menuitem", { name });
  await item.waitFor();
  for (let step = 0; step < STEPS_MAX && !(await hasFocus(item)); step++) {
    await page.keyboard.press("ArrowDown");
  }
  await focused(item);
  await page.keyboard.press("Enter");
}

/** Waits until the target has the focus. */
export async function focused(target: Locator): Promise<void> {
  await expect.poll(() => hasFocus(target)).toBe(true);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}
