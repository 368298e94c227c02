import type { Page } from "playwright";
import { hydrated } from "./hydrated";

/** A person who can sign in. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Types address and password, and submits them. */
export async function typeSignIn(page: Page, { email, password }: Person): Promise<void> {
  await page.getByRole("textbox", { name: "Email address" }).fill(email);
  await page.locator("input[name=password]").fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs in, and waits for a page of an organization. */
export async function signInAs(page: Page, person: Person): Promise<void> {
  await typeSignIn(page, person);
  await page.waitForURL(({ pathname }) => pathname.startsWith("/o/"));
  await hydrated(page);
}
