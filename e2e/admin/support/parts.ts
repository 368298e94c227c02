import type { Locator, Page } from "playwright";

/** The row of a table of the page that has the text. */
export const row = (page: Page, text: string): Locator => page.getByRole("row").filter({ hasText: text });

/** What the page says of what it shows; its audit trail, further down, has facts of the same names. */
export const fact = (page: Page, name: string): Locator =>
  page.getByText(name, { exact: true }).locator("xpath=following-sibling::dd[1]").first();
