import type { Page } from "playwright";
import { expect, test } from "vitest";
import { createKey } from "@/server/domain/keys/create";
import { openConversation, queueText } from "@/server/domain/messages/testing";
import { connectTestChannel } from "@/server/domain/organizations/testing";
import { faultsInEachForm, SIZES } from "./support/forms";
import { enter, focused } from "./support/keyboard";
import { useSuite } from "./support/suite";

const suite = useSuite();
const rows = (page: Page) => page.getByRole("table").locator("tbody").getByRole("row");
const panel = (page: Page) => page.getByRole("dialog", { name: "Message", exact: true });
const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

/** Makes messages that wait, because their customer may get no more for now, so that the list doesn't change. */
async function makeMessages(count: number): Promise<void> {
  const { ctx, services } = suite().world;
  const { threadId } = await openConversation(ctx, await connectTestChannel(ctx));
  await services.sql`
    update conversations set blocked_until = now() + interval '1 hour'
    where id = ${threadId} and organization_id = ${ctx.actor.organizationId}`;
  for (let made = 0; made < count; made += 1) await queueText(ctx, threadId);
}

test("a click anywhere in a row opens it, and the focus comes back to its link", async () => {
  await makeMessages(1);
  const { admin } = suite();
  const { page } = admin;
  await admin.go("/messages");
  const row = rows(page).first();
  await row.getByRole("cell").last().click();
  await panel(page).waitFor();
  await page.keyboard.press("Escape");
  await panel(page).waitFor({ state: "detached" });
  await focused(row.getByRole("link").first());
  expect(await panel(page).count()).toBe(0);
});

test("text in a row can be selected without opening it", async () => {
  const { admin } = suite();
  const { page } = admin;
  await admin.go("/messages");
  const cell = rows(page).first().getByRole("cell").last();
  // Waits until the table doesn't move any more.
  await cell.hover();
  const box = await cell.boundingBox();
  if (box === null) throw new Error("The cell isn't shown");
  await page.mouse.move(box.x + 14, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + 45, box.y + box.height / 2, { steps: 4 });
  const selected = () => page.evaluate(() => window.getSelection()?.toString().length ?? 0);
  await expect.poll(selected).toBeGreaterThan(2);
  await page.mouse.up();
  expect(await selected()).toBeGreaterThan(2);
  expect(await panel(page).count()).toBe(0);
  await page.mouse.click(5, 700);
});

test("with Ctrl or the middle button, a click in a row opens a tab", async () => {
  const { admin } = suite();
  const { page } = admin;
  await admin.go("/messages");
  for (const how of [{ modifiers: ["ControlOrMeta" as const] }, { button: "middle" as const }]) {
    const [tab] = await Promise.all([
      page.context().waitForEvent("page"),
      rows(page).first().getByRole("cell").last().click(how),
    ]);
    await tab.waitForURL(/\/messages\/[\w-]+$/);
    await tab.close();
    await page.bringToFront();
    expect(await panel(page).count()).toBe(0);
  }
});

test("14 messages fit a window of 900 pixels, more in compact rows, which this browser remembers", async () => {
  await makeMessages(30);
  const { admin } = suite();
  const { page } = admin;
  await page.setViewportSize({ width: 1280, height: 900 });
  await admin.go("/messages");
  const countInView = () =>
    rows(page).evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= 900).length);
  await rows(page).nth(20).waitFor();
  const normal = await countInView();
  expect(normal).toBeGreaterThanOrEqual(14);
  await page.getByRole("button", { name: "Compact rows" }).click();
  await expect.poll(countInView).toBeGreaterThan(normal + 3);
  await page.reload();
  await rows(page).nth(20).waitFor();
  await expect.poll(countInView).toBeGreaterThan(normal + 3);
  await admin.go("/keys");
  const pressed = page.getByRole("button", { name: "Compact rows", pressed: true });
  await pressed.click();
  await page.getByRole("button", { name: "Compact rows", pressed: false }).waitFor();
  await page.setViewportSize(SIZES.wide);
});

test("pages of a list lead on, back and to the first, with the focus on the table, and Back works", async () => {
  await makeMessages(90);
  const { admin } = suite();
  const { page } = admin;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await admin.go("/messages");
  await page.getByText(/^1–50 of about 1\d\d$/).waitFor();
  await button("Older").focus();
  await page.keyboard.press("Enter");
  await page.getByText(/^51–100 of about 1\d\d$/).waitFor();
  await focused(page.getByRole("table"));
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
  const second = parameter(page, "after");
  await button("Older").click();
  await page.getByText(/^101–(1\d\d) of \1$/).waitFor();
  await page.reload();
  await page.getByText(/^101–(1\d\d) of \1$/).waitFor();
  await button("Newer").click();
  await page.getByText(/^51–100 of about 1\d\d$/).waitFor();
  expect(parameter(page, "after")).toBe(second);
  await page.goBack();
  await page.getByText(/^101–(1\d\d) of \1$/).waitFor();
  await button("Newest").click();
  await page.getByText(/^1–50 of about 1\d\d$/).waitFor();
  await focused(page.getByRole("table"));
  expect(parameter(page, "after")).toBeNull();
});

test("the total is counted once for each filter, and neither the list nor paging waits for it", async () => {
  await makeMessages(60);
  const { admin } = suite();
  const { page } = admin;
  let counted = 0;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/messages\.count/, async (route) => {
    counted += 1;
    await held;
    await route.continue();
  });
  await admin.go("/messages");
  await page.getByText("1–50", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Older" }).click();
  await page.getByText(/^51–\d+/).waitFor();
  release();
  await page.getByRole("button", { name: "Newer" }).click();
  await page.getByText(/^1–50 of about \d+$/).waitFor();
  expect(counted).toBe(1);
  await page.getByRole("combobox", { name: "Time" }).selectOption("24h");
  await expect.poll(() => counted).toBe(2);
  await page.getByText(/^1–50 of about \d+$/).waitFor();
  await page.unroute(/messages\.count/);
});

test("whoever gets the URL of a later page has the way to the first page", async () => {
  const { world, admin } = suite();
  await admin.go("/messages");
  await admin.page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => parameter(admin.page, "after")).not.toBeNull();
  const other = await world.open(world.owner);
  await other.go(`/messages?after=${parameter(admin.page, "after") ?? ""}`);
  await other.page.getByRole("button", { name: "Newest" }).waitFor();
  expect(await other.page.getByRole("button", { name: "Newer" }).count()).toBe(0);
  await other.close();
});

test("a complete list is sorted by a heading, up, down and not, by keyboard too", async () => {
  const { world, admin } = suite();
  const { page } = admin;
  await createKey({ ctx: world.ctx, input: { name: "Aardvark" } });
  await createKey({ ctx: world.ctx, input: { name: "zebra" } });
  await admin.go("/keys");
  const names = () => page.getByRole("rowheader").allTextContents();
  await expect.poll(async () => (await names())[0]).toBe("zebra");
  const own = await names();
  const heading = page.getByRole("button", { name: "Name", exact: true });
  await enter(page, heading);
  await expect.poll(async () => (await names())[0]).toBe("Aardvark");
  expect(await page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending");
  await heading.click();
  await expect.poll(async () => (await names())[0]).toBe("zebra");
  await expect.poll(() => parameter(page, "sort")).toBe("-Name");
  await page.reload();
  await expect.poll(async () => (await names()).at(-1)).toBe("Aardvark");
  expect(await faultsInEachForm(page)).toEqual([]);
  await heading.click();
  await expect.poll(names).toEqual(own);
});

test("filters are saved under a name, applied from there, and removed", async () => {
  const { admin } = suite();
  const { page } = admin;
  await admin.go("/messages?state=queued");
  await page.getByRole("button", { name: "Saved filters" }).click();
  await page.getByLabel("Save these filters as").fill("Waiting now");
  expect(await faultsInEachForm(page)).toEqual([]);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await admin.go("/messages");
  await page.getByRole("button", { name: "Saved filters" }).click();
  await page.getByRole("link", { name: "Waiting now" }).click();
  await expect.poll(() => page.getByLabel("State", { exact: true }).inputValue()).toBe("queued");
  expect(parameter(page, "state")).toBe("queued");
  await page.getByRole("button", { name: "Saved filters" }).click();
  await page.getByRole("button", { name: "Remove Waiting now" }).click();
  await page.getByRole("link", { name: "Waiting now" }).waitFor({ state: "detached" });
});

test("on a phone, filters are behind one button, and the first message is in the upper half", async () => {
  const { admin } = suite();
  const { page } = admin;
  await page.setViewportSize({ width: 390, height: 844 });
  await admin.go("/messages?state=queued");
  const box = await rows(page).first().boundingBox();
  expect(box?.y).toBeLessThan(422);
  expect(await page.getByLabel("State", { exact: true }).isVisible()).toBe(false);
  await page.getByRole("button", { name: "Filters (1)" }).click();
  await page.getByLabel("State", { exact: true }).selectOption("Any state");
  await page.getByRole("button", { name: "Filters", exact: true }).waitFor();
  await page.setViewportSize(SIZES.wide);
});
