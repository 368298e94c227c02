import { expect, test } from "vitest";
import { faultsInEachForm } from "./support/forms";
import { focused } from "./support/keyboard";
import { useSuite } from "./support/suite";

const suite = useSuite();

test.each([/^Organization: /, "Colours", "Your account"])("the open menu %s passes axe", async (name) => {
  const { admin } = suite();
  const { page } = admin;
  await admin.go("/settings");
  const button = page.getByRole("banner").getByRole("button", { name });
  await button.click();
  await page.getByRole("menu").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("menu").waitFor({ state: "detached" });
  await focused(button);
});
