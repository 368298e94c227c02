import type { Page } from "playwright";
import { axeViolations, ONLY_COLORS } from "./axe";

/** Sizes of the window. */
export const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } } as const;
/** The forms in which a page is checked: its colours don't depend on its width. */
const FORMS = [
  { name: "light", colorScheme: "light", size: SIZES.wide },
  { name: "dark", colorScheme: "dark", size: SIZES.wide },
  { name: "narrow", colorScheme: "light", size: SIZES.narrow },
] as const;

/**
 * Returns the page's current faults in light, dark and narrow: axe's violations, and whether it is wider than the
 * window.
 */
export async function faultsInEachForm(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const { name, colorScheme, size } of FORMS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    // Pages without an organization follow the system's colour scheme by style sheets alone.
    await page.waitForFunction((scheme) => {
      const { mantineColorScheme: drawn = scheme } = document.documentElement.dataset;
      return drawn === scheme;
    }, colorScheme);
    await settled(page);
    // The scheme changes only colours, and checking the other rules again would take as long again.
    const found = await axeViolations(page, colorScheme === "light" ? undefined : ONLY_COLORS);
    faults.push(...found.map((fault) => `${name}: ${fault}`));
    if (!(await isWithinWindow(page))) faults.push(`${name}: it is wider than the window`);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(SIZES.wide);
  return faults;
}

/**
 * Returns the page's faults in light: axe's violations in a wide window, and whether it is wider than a narrow window.
 */
export async function faultsAtFirstSight(page: Page): Promise<readonly string[]> {
  await settled(page);
  const faults = await axeViolations(page);
  await page.setViewportSize(SIZES.narrow);
  if (!(await isWithinWindow(page))) faults.push("narrow: it is wider than the window");
  await page.setViewportSize(SIZES.wide);
  return faults;
}

/**
 * Waits until no skeleton of a list and no dimmed earlier result is shown, and the page has its title. A dialog gets
 * its name just after it is shown, so waiting for one without a name times out.
 */
async function settled(page: Page): Promise<void> {
  const unsettled =
    "[aria-busy=true], output[aria-label=Loading], [role=dialog]:not([aria-label], [aria-labelledby])";
  await page.waitForFunction(
    (selector) => document.title !== "" && document.querySelector(selector) === null,
    unsettled,
  );
}

/** A chart takes a moment to fit. */
function isWithinWindow(page: Page): Promise<boolean> {
  return page
    .waitForFunction(() => document.documentElement.scrollWidth <= window.innerWidth)
    .then(
      () => true,
      () => false,
    );
}
