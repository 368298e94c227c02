import type { Page } from "playwright";
import { totpOf } from "@/server/domain/auth/totp.fixture";
import type { AdminWorld } from "./admin-world";
import { refused } from "./guard";
import type { AdminPage } from "./open-page";
import { type Person, signInAs, typeSignIn } from "./sign-in";

/** The refusals that tests provoke: wrong credentials, expired links, and any request of an ended session. */
export const REFUSED = {
  expects: refused(
    "401 *",
    "400 account.rename",
    "401 /api/auth/sign-in/email",
    "429 /api/auth/sign-in/email",
    "400 /api/auth/change-password",
    "422 /api/auth/change-password",
    "400 /api/auth/reset-password",
    "404 /api/auth/reset-password",
    "422 /api/auth/two-factor/enable",
    "401 /api/auth/two-factor/*",
  ),
};

export const accountPath = ({ demo }: AdminWorld) => `/o/${demo.organization_id}/account`;

/** Signs in, in a new browser context. */
export async function signedIn(world: AdminWorld, person: Person): Promise<AdminPage> {
  const visitor = await world.visit(REFUSED);
  await visitor.go("/sign-in");
  await signInAs(visitor.page, person);
  return visitor;
}

/** Returns what the sign-in form says about these credentials. */
export async function wordsFor(page: Page, person: Person): Promise<string> {
  await typeSignIn(page, person);
  const alert = page.getByRole("alert").filter({ hasText: /\w/ });
  await alert.waitFor();
  return alert.innerText();
}

/** Types the password when the page asks for it, and submits it. */
export async function confirm(page: Page, password: string, button: string): Promise<void> {
  await page.locator("input[name=current-password]").last().fill(password);
  await page.getByRole("button", { name: button }).click();
}

/** Enables two-factor sign-in. Returns the app's secret and the recovery codes. */
export async function enrol(page: Page, password: string): Promise<{ uri: string; codes: string[] }> {
  await page.getByRole("button", { name: "Turn on" }).click();
  await confirm(page, password, "Set up the app");
  await page.getByText("Scan this QR code with an authenticator app").waitFor();
  const secret = await page.getByText("Or enter this setup key in the app").locator("code").innerText();
  const uri = `otpauth://totp/Waypost?secret=${secret}`;
  await page.getByRole("textbox", { name: "Six-digit code" }).fill(totpOf(uri));
  await page.getByRole("button", { name: "Turn on" }).click();
  await page.getByText("Save these recovery codes").waitFor();
  const codes = await page.locator("main ul > li").allInnerTexts();
  return { uri, codes };
}
