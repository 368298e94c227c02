import type { Locator, Page } from "playwright";

/** The row with the text in a table of the page. */
export const row = (page: Page, text: string): Locator => page.getByRole("row").filter({ hasText: text });

/** The value of a fact on the page; its audit trail, further down, has facts with the same names. */
export const fact = (page: Page, name: string): Locator =>
  page.getByText(name, { exact: true }).locator("xpath=following-sibling::dd[1]").first();
