import type { Page } from "playwright";
import { expect } from "vitest";
import { type Scope, SCOPES } from "@/server/core/capabilities";

/** The secret shown by the open dialog. */
export const shownSecret = (page: Page) => page.getByRole("textbox", { name: "Secret" }).inputValue();

export async function copyAndClose(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Copy: Secret" }).click();
  await page.getByRole("button", { name: "Copied: Secret" }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
}

/** Creates a key in the browser, as a person does. @param choose fills in the rest of the form. */
export async function createByHand(page: Page, name: string, choose?: () => Promise<void>): Promise<string> {
  await page.getByRole("button", { name: "Create a key" }).first().click();
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await choose?.();
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = await shownSecret(page);
  await copyAndClose(page);
  return secret;
}

const SCOPE_GROUPS = {
  Messages: ["messages:send", "messages:read"],
  Contacts: ["contacts:read", "contacts:write"],
  Templates: ["templates:read"],
  Webhooks: ["webhooks:manage"],
} as const satisfies Record<string, readonly Scope[]>;

export const scopeBox = (page: Page, scope: Scope) => page.getByRole("checkbox", { name: scope });

/** Checks the form's explanation of the scopes before one is chosen. */
export async function expectExplainedScopes(page: Page): Promise<void> {
  for (const [label, scopes] of Object.entries(SCOPE_GROUPS)) {
    const group = page.getByRole("group", { name: label, exact: true });
    for (const scope of scopes) {
      const { description, isDefault } = SCOPES[scope];
      await group.getByText(description.replaceAll("`", "")).waitFor();
      expect([scope, await group.getByRole("checkbox", { name: scope }).isChecked()]).toEqual([
        scope,
        isDefault,
      ]);
    }
  }
  expect(await page.getByText("not a default").count()).toBe(1);
  await page.getByRole("checkbox", { name: "webhooks:manage not a default" }).waitFor();
}
