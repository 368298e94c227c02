import type { Page } from "playwright";

/** Waits until the page's code has taken over the buttons that came with the document: a click before is lost. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("button")].every((button) =>
      Object.keys(button).some((name) => name.startsWith("__reactFiber")),
    ),
  );
}
