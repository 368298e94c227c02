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
  await press(page, target, "Enter");
}

/** Goes there by Tab, and presses a key. */
export async function press(page: Page, target: Locator, key: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Goes to an item of the open menu by the arrow keys, and presses Enter. */
export async function chooseItem(page: Page, name: string): Promise<void> {
  const item = page.getByRole("menuitem", { name });
  await item.waitFor();
  for (let step = 0; step < STEPS_MAX && !(await hasFocus(item)); step++) {
    await page.keyboard.press("ArrowDown");
  }
  await focused(item);
  await page.keyboard.press("Enter");
}

/** Waits until it has the focus by itself. */
export async function focused(target: Locator): Promise<void> {
  await expect.poll(() => hasFocus(target)).toBe(true);
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}
