import type { Page } from "playwright";
import { expect } from "vitest";
import { focused } from "./keyboard";

/** The field of the quick search. */
export const field = (page: Page) => page.getByRole("combobox", { name: "Search", exact: true });
export const options = (page: Page) => page.getByRole("listbox", { name: "Found" }).getByRole("option");

/** Opens the quick search by the keyboard. */
export async function openByKeys(page: Page, keys = "Control+k"): Promise<void> {
  await page.getByRole("button", { name: "Search" }).first().waitFor();
  // Keys have an effect only once the page’s scripts run.
  await expect
    .poll(async () => {
      await page.keyboard.press(keys);
      return field(page).isVisible();
    })
    .toBe(true);
  await focused(field(page));
}

/** The choice as screen readers see it: the option that the field points to. */
export const chosen = async (page: Page) => {
  const id = await field(page).getAttribute("aria-activedescendant");
  return id === null ? null : page.locator(`[id="${id}"]`).textContent();
};
