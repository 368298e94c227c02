import type { Page } from "playwright";
import { axeViolations, ONLY_COLORS } from "./axe";

/** Of the window. */
export const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 800 } } as const;
/** In which a page is looked at: its colours do not depend on its width. */
const FORMS = [
  { name: "light", colorScheme: "light", size: SIZES.wide },
  { name: "dark", colorScheme: "dark", size: SIZES.wide },
  { name: "narrow", colorScheme: "light", size: SIZES.narrow },
] as const;

/**
 * What is wrong with the page as it is now, in light, dark and narrow: what axe finds, and where it is wider than the
 * window.
 */
export async function faultsInEachForm(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  await settled(page);
  for (const { name, colorScheme, size } of FORMS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    // Pages that belong to no organization follow the system by style sheets alone.
    await page.waitForFunction((scheme) => {
      const { mantineColorScheme: drawn = scheme } = document.documentElement.dataset;
      return drawn === scheme;
    }, colorScheme);
    // The scheme changes nothing but colours, and the other rules take as long again.
    const found = await axeViolations(page, colorScheme === "light" ? undefined : ONLY_COLORS);
    faults.push(...found.map((fault) => `${name}: ${fault}`));
    if (!(await isWithinWindow(page))) faults.push(`${name}: it is wider than the window`);
  }
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(SIZES.wide);
  return faults;
}

/** Faults of the page in light: violations that axe finds in a wide window, and a page wider than a narrow one. */
export async function faultsAtFirstSight(page: Page): Promise<readonly string[]> {
  await settled(page);
  const faults = await axeViolations(page);
  await page.setViewportSize(SIZES.narrow);
  if (!(await isWithinWindow(page))) faults.push("narrow: it is wider than the window");
  await page.setViewportSize(SIZES.wide);
  return faults;
}

/**
 * Waits until no outline of a list and no dimmed earlier result is shown, and the page has its title. A dialog gets its
 * name just after it is shown, so that one without a name is waited for in vain.
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
