import type { Browser } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "@/e2e/support/browser";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";

const NARROW = { width: 390, height: 844 } as const;
const WIDE = { width: 1280, height: 800 } as const;

let server: Waypost;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startWaypost(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test("on a narrow screen each line of a stacked row has its heading, and no code runs below a button", async () => {
  const page = await browser.newPage({ viewport: NARROW });
  await page.goto(`${server.baseUrl}/docs/metrics`);
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
  await page.close();
});
