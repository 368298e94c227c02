import axe from "axe-core";
import type { Page } from "playwright";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Axe's rules about colours; it has another one that no page has to keep. */
export const ONLY_COLORS = ["color-contrast", "link-in-text-block"] as const;

/** What axe finds wrong on the page as it is now, as short lines. @param only the rules to hold it to; all, without. */
export async function axeViolations(page: Page, only?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // In the middle of a transition colours are none that anybody reads.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ effect, playState }) => playState !== "running" || effect?.getTiming().iterations === Infinity,
      ),
  );
  const rules = only === undefined ? {} : { runOnly: [...only] };
  const { violations } = await page.evaluate(
    (options) => window.axe.run({ resultTypes: ["violations"], ...options }),
    rules,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary ?? ""}`),
  );
}
