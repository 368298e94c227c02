import type { Page } from "playwright";

/**
 * Lets the server process the page's requests, but holds back the responses.
 * @returns a function that releases them, and lets later ones pass.
 */
export async function holdBack(page: Page, path: RegExp): Promise<() => Promise<void>> {
  let letOn = () => {};
  const held = new Promise<void>((resolve) => (letOn = resolve));
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await held;
    // The page may have cancelled it in the meantime.
    await route.fulfill({ response }).catch(() => undefined);
  });
  return async () => {
    letOn();
    await page.unroute(path);
  };
}
