import type { Page } from "playwright";

/** Waits until React has hydrated the buttons of the document: an earlier click is lost. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("button")].every((button) =>
      Object.keys(button).some((name) => name.startsWith("__reactFiber")),
    ),
  );
}
