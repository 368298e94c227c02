import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { axeViolations } from "./support/axe";
import { faultsInEachForm, SIZES } from "./support/forms";
import { refused } from "./support/guard";
import { chooseItem, enter, tabTo } from "./support/keyboard";

let world: AdminWorld;

beforeAll(async () => {
  world = await openAdminWorld();
});
afterAll(() => world.close());

const REFUSED = {
  expects: refused(
    "400 organization.rename",
    "400 organization.setRetention",
    "400 organization.setMarketingWords",
  ),
};

const nameField = (page: Page) => page.getByRole("textbox", { name: "Name" });
const daysField = (page: Page) => page.getByRole("textbox", { name: "Days" });
/** Which scripts may run: no inline script without the nonce, and no `eval`. */
const SCRIPTS_BY_NONCE = /(^|; )script-src 'self' 'nonce-[\w+/]{22}==' 'strict-dynamic';/;

/** The button of the form that contains a field. */
const saveOf = (page: Page, field: "organization" | "days" | "optOutWords") =>
  page
    .locator("form")
    .filter({ has: page.locator(`[name=${field}]`) })
    .getByRole("button", { name: /^Save/ });

test("an organization is renamed everywhere, and a name that is none stays to be corrected", async () => {
  const { page, go, close } = await world.open(world.owner, REFUSED);
  await go("/settings");
  await nameField(page).fill(" ");
  await saveOf(page, "organization").click();
  await expect.poll(() => nameField(page).getAttribute("aria-invalid")).toBe("true");
  expect(await nameField(page).inputValue()).toBe(" ");
  await nameField(page).fill("Seaside Clinic");
  await saveOf(page, "organization").click();
  await page.getByText("The organization was renamed").waitFor();
  await page.getByRole("button", { name: "Organization: Seaside Clinic" }).waitFor();
  const answer = await page.reload();
  expect(await nameField(page).inputValue()).toBe("Seaside Clinic");
  expect(answer?.headers()["content-security-policy"]).toMatch(SCRIPTS_BY_NONCE);
  await close();
});

test("how long messages are kept is changed with a warning where something will be erased", async () => {
  const { page, go, close } = await world.open(world.owner, REFUSED);
  await go("/settings");
  await daysField(page).fill("1");
  await page.getByRole("button", { name: "Save and erase older content" }).click();
  await expect.poll(() => daysField(page).getAttribute("aria-invalid")).toBe("true");
  expect(await daysField(page).inputValue()).toBe("1");
  await daysField(page).fill("120");
  await saveOf(page, "days").click();
  await page.getByText("is now kept for 120 days").waitFor();
  await expect.poll(() => saveOf(page, "days").isDisabled()).toBe(true);
  await daysField(page).fill("100");
  await saveOf(page, "days").click();
  const confirm = page.getByRole("button", { name: "Save and erase", exact: true });
  await page.getByRole("textbox", { name: "Confirmation" }).fill("10 days");
  expect(await confirm.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.reload();
  expect(await daysField(page).inputValue()).toBe("120");
  await daysField(page).fill("100");
  await saveOf(page, "days").click();
  await page.getByRole("textbox", { name: "Confirmation" }).fill("100 days");
  await confirm.click();
  await page.getByText("will be erased within the hour").waitFor();
  await page.reload();
  expect(await daysField(page).inputValue()).toBe("100");
  await close();
});

test("the words that opt customers out and in are changed, and a word in both lists stays to be corrected", async () => {
  const { page, go, close } = await world.open(world.owner, REFUSED);
  await go("/settings");
  const [out, into] = [page.getByLabel("Opt-out words"), page.getByLabel("Opt-in words")];
  expect((await out.inputValue()).split("\n")).toEqual(expect.arrayContaining(["STOP", "ABMELDEN"]));
  expect(await saveOf(page, "optOutWords").isDisabled()).toBe(true);
  await out.fill("Halt\n\n  Genug \n");
  await into.fill("genug");
  await saveOf(page, "optOutWords").click();
  await expect.poll(() => into.getAttribute("aria-invalid")).toBe("true");
  await page.getByText("is in both lists").waitFor();
  expect(await into.inputValue()).toBe("genug");
  await into.fill("Weiter");
  await tabTo(page, saveOf(page, "optOutWords"));
  await page.keyboard.press("Enter");
  await page.getByText("The words were saved").waitFor();
  await page.reload();
  expect(await out.inputValue()).toBe("Halt\nGenug");
  expect(await into.inputValue()).toBe("Weiter");
  await go("/audit");
  const changed = page.getByText("changed the words that opt customers out or in");
  // The filter above the list has the same words.
  await changed.locator("visible=true").first().waitFor();
  await close();
});

test("an agent sees what is set, changes nothing, and goes on by the navigation of a narrow window", async () => {
  const { page, go, close } = await world.open(await world.addMember("agent"));
  await go("/settings");
  await page.getByText(world.demo.organization_id).waitFor();
  await page.getByText(/^\d+ days$/).waitFor();
  await page.getByText(/^Opt-out words: /).waitFor();
  expect(await page.getByRole("button", { name: /^Save/ }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Members" }).count()).toBe(0);

  // The size of a phone.
  await page.setViewportSize(SIZES.narrow);
  const burger = page.getByRole("button", { name: "Open navigation" });
  // The hidden menu isn't focusable either.
  await page.getByRole("navigation").waitFor({ state: "hidden" });
  await enter(page, burger);
  await page.getByRole("button", { name: "Close navigation" }).waitFor();
  expect(await axeViolations(page)).toEqual([]);
  await page.getByRole("navigation").getByRole("link", { name: "Usage" }).click();
  await page.getByRole("heading", { level: 1, name: "Usage" }).waitFor();
  await burger.waitFor();
  await close();
});

test("a page is fetched ahead when its link is pointed at or has the focus, and not before", async () => {
  const { page, go, close } = await world.open(world.owner);
  const fetched = new Set<string>();
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (searchParams.has("_rsc")) fetched.add(pathname.replace(/.*\//, "/"));
  });
  const link = (name: string) => page.getByRole("navigation").getByRole("link", { name });
  await go("/settings");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  expect([...fetched]).toEqual([]);
  await link("Usage").hover();
  await expect.poll(() => [...fetched]).toEqual(["/usage"]);
  await link("Contacts").focus();
  await expect.poll(() => [...fetched]).toEqual(["/usage", "/contacts"]);
  await close();
});

test("it is renamed, and colours are chosen and kept, by the keyboard alone", async () => {
  const { page, go, close } = await world.open(world.owner);
  await go("/settings");
  await tabTo(page, nameField(page));
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("By Keyboard");
  await page.keyboard.press("Enter");
  const menu = page.getByRole("button", { name: /^Organization:/ });
  await expect.poll(() => menu.innerText()).toBe("By Keyboard");

  const drawn = () => page.locator("html").getAttribute("data-mantine-color-scheme");
  expect(await drawn()).toBe("light");
  await enter(page, page.getByRole("button", { name: "Colours" }));
  await chooseItem(page, "Dark");
  await expect.poll(drawn).toBe("dark");
  await page.reload();
  expect(await drawn()).toBe("dark");
  await close();
});

test("axe finds nothing wrong with the page, for who may change it and for who may not", async () => {
  for (const person of [world.owner, await world.addMember("agent")]) {
    const { page, go, close } = await world.open(person);
    await go("/settings");
    await page.getByText(world.demo.organization_id).waitFor();
    expect(await faultsInEachForm(page)).toEqual([]);
    await close();
  }
});
