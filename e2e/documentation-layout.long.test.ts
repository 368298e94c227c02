import { afterAll, beforeAll, expect, test } from "vitest";
import { axeViolations, ONLY_COLORS } from "./admin/support/axe";
import { closeContexts, openBrowser } from "./support/browser";
import { type Documentation, NARROW, openDocumentation, PATHS, WIDE } from "./support/documentation-pages";

let documentation: Documentation;
beforeAll(async () => {
  documentation = await openDocumentation();
});
afterAll(() => documentation.close());

test("whatever takes the keyboard's focus on a page shows it", async () => {
  for (const path of PATHS) {
    const { page } = documentation.at(path);
    // An element focused after a key press counts as focused by the keyboard.
    await page.keyboard.press("Tab");
    const unseen = await page.locator("a, button, summary, [tabindex='0']").evaluateAll((elements) =>
      elements
        .filter((element) => element.checkVisibility())
        .filter((element) => {
          if (element instanceof HTMLElement) element.focus();
          return element === document.activeElement && getComputedStyle(element).outlineStyle === "none";
        })
        .map(({ outerHTML }) => outerHTML.slice(0, 200)),
    );
    expect({ path, unseen }).toEqual({ path, unseen: [] });
  }
});

test("on a narrow screen each line of a stacked row has its heading, and no code runs below a button", async () => {
  const { page } = documentation.at("/docs/metrics");
  await page.setViewportSize(NARROW);
  const heads = await page
    .locator("table td:nth-child(n + 2)")
    .evaluateAll((cells) =>
      cells
        .filter((cell) => cell.checkVisibility())
        .map((cell) => [cell.getAttribute("data-head"), getComputedStyle(cell, "::before").content]),
    );
  expect(heads.length).toBeGreaterThan(80);
  for (const [head, shown] of heads) expect(shown).toContain(head);
  for (const size of [NARROW, WIDE]) {
    await page.setViewportSize(size);
    const overlaps = await page.locator("pre + button").evaluateAll((buttons) =>
      buttons.filter((button) => {
        const [over, under] = [
          button.getBoundingClientRect(),
          button.previousElementSibling?.getBoundingClientRect(),
        ];
        return under !== undefined && over.left < under.right && over.bottom > under.top;
      }),
    );
    expect(overlaps).toHaveLength(0);
  }
});

/** Dark differs from light by its colours alone. */
test.each([
  { colorScheme: "light", rules: undefined },
  { colorScheme: "dark", rules: ONLY_COLORS },
] as const)("every page passes axe, $colorScheme, wide and narrow", async ({ colorScheme, rules }) => {
  const found: { path: string; violations: string[] }[] = [];
  for (const path of PATHS) {
    const { page } = documentation.at(path);
    await page.emulateMedia({ colorScheme });
    // axe checks the colours of collapsed parts only when they are open.
    await page.locator("details").evaluateAll((all) => {
      for (const one of all) if (one instanceof HTMLDetailsElement) one.open = true;
    });
    for (const size of [WIDE, NARROW]) {
      await page.setViewportSize(size);
      found.push({ path, violations: await axeViolations(page, rules) });
    }
  }
  expect(found.filter(({ violations }) => violations.length > 0)).toEqual([]);
});

test("without JavaScript, every page has the same text, links and navigation", async () => {
  const browser = await openBrowser();
  const still = await browser.newContext({ javaScriptEnabled: false, viewport: WIDE });
  const contentOf = (main: Element) => ({
    text: main.textContent,
    links: [...main.querySelectorAll("a")].map(({ href }) => href),
  });
  for (const path of PATHS) {
    const { page } = documentation.at(path);
    const plain = await still.newPage();
    await plain.goto(documentation.server.baseUrl + path);
    const [without, full] = await Promise.all(
      [plain, page].map((one) => one.locator("main").evaluate(contentOf)),
    );
    expect(without).toEqual(full);
    expect(without?.text.length).toBeGreaterThan(500);
    expect(await plain.getByRole("navigation", { name: "Documentation", exact: true }).isVisible()).toBe(
      true,
    );
    await plain.close();
  }
  await closeContexts(browser);
});
