import type { Page } from "playwright";

/**
 * Has the server answer what the page asks for, but the page not hear of it.
 * @returns what lets it hear, of what it asks for later too.
 */
export async function holdBack(page: Page, path: RegExp): Promise<() => Promise<void>> {
  let letOn = () => {};
  const held = new Promise<void>((resolve) => (letOn = resolve));
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await held;
    // The page may have given it up meanwhile.
    await route.fulfill({ response }).catch(() => undefined);
  });
  return async () => {
    letOn();
    await page.unroute(path);
  };
}
