import axe from "axe-core";
import type { Page } from "playwright";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Axe's colour rules that apply; no page has to meet the third one. */
export const ONLY_COLORS = ["color-contrast", "link-in-text-block"] as const;

/**
 * Returns axe's violations on the page in its current state, as short lines. @param only restricts the rules; all if
 * absent.
 */
export async function axeViolations(page: Page, only?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // During a transition, colours have values that nobody reads.
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
