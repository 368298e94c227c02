import { afterAll, beforeAll, expect, test } from "vitest";
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
  expect(heads.length).toBeGreaterThan(100);
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
