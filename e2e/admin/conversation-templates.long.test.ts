import type { Page } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addTemplate, type Conversation } from "@/server/domain/messages/testing";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { answerBox, createCustomers, messages, sendButton } from "./support/conversations";
import { faultsInEachForm } from "./support/forms";
import { refused } from "./support/guard";
import { focused, tabTo } from "./support/keyboard";

let world: AdminWorld;
let channelId: string;
let customer: (name: string) => Promise<Conversation>;

const COMPONENTS = [
  { type: "HEADER", format: "TEXT", text: "Order {{1}}", example: { header_text: ["A-1024"] } },
  {
    type: "BODY",
    text: `Good day {{1}}, your order will arrive on {{2}}.\n\n${"Somebody must be at home. ".repeat(12)}`,
    example: { body_text: [["Ada", "Monday"]] },
  },
  { type: "FOOTER", text: "The shop" },
  { type: "BUTTONS", buttons: [{ type: "URL", text: "Track", url: "https://shop.example/{{1}}" }] },
];
const VARIABLES = ["header.1", "1", "2", "button.0.1"];

beforeAll(async () => {
  world = await openAdminWorld();
  ({ channelId, customer } = await createCustomers(world));
  const { id } = await addTemplate(world.ctx, channelId, { name: "delivery", variables: VARIABLES });
  await world.services.sql`
    update templates set components = ${JSON.stringify(COMPONENTS)}::text::jsonb where id = ${id}`;
});
afterAll(() => world.close());

/** A customer whose window has closed. */
async function lateCustomer(name: string): Promise<Conversation> {
  const found = await customer(name);
  await world.services.sql`
    update conversations set last_inbound_at = now() - interval '25 hours' where id = ${found.threadId}`;
  return found;
}

const templateBox = (page: Page) => page.getByRole("combobox", { name: "Template" });
const preview = (page: Page) => page.getByRole("region", { name: "Preview" });
const valueBox = (page: Page, name: string) => page.getByRole("textbox", { name });

test("by keyboard, a template is chosen and filled by the words around its values, previewed and sent", async () => {
  const { threadId } = await lateCustomer("Late Ada");
  const { page, go, close } = await world.open(world.owner);
  await go(`/conversations/${threadId}`);
  await page.getByText("The customer hasn’t written in the last 24 hours").waitFor();
  expect(await answerBox(page).count()).toBe(0);
  await tabTo(page, templateBox(page));
  await page.keyboard.type("delivery");
  await page.getByRole("option", { name: /delivery/ }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await preview(page).getByText("Good day {{1}}, your order").waitFor();
  const day = valueBox(page, "Value 2: “, your order will arrive on ____.");
  expect(await day.getAttribute("placeholder")).toBe("Example: Monday");
  await tabTo(page, valueBox(page, "Header, value 1: “Order ____”"));
  await page.keyboard.type("B-7");
  await page.keyboard.press("Tab");
  await focused(valueBox(page, "Value 1: “Good day ____, your order will"));
  await page.keyboard.type("Ada");
  await page.keyboard.press("Tab");
  await focused(day);
  await page.keyboard.type("Tuesday");
  await page.keyboard.press("Tab");
  await focused(valueBox(page, "Button “Track”, value 1: “https://shop.example/____”"));
  await page.keyboard.type("b7");
  await preview(page).getByText("Order B-7", { exact: true }).waitFor();
  await preview(page).getByText("Good day Ada, your order will arrive on Tuesday.").waitFor();
  await preview(page).getByText("The shop", { exact: true }).waitFor();
  await preview(page).getByRole("listitem").getByText("https://shop.example/b7").waitFor();
  await page.keyboard.press("Enter");
  await messages(page).getByText("Good day Ada, your order will arrive on Tuesday.").waitFor();
  await messages(page).getByRole("listitem").getByText("https://shop.example/b7").first().waitFor();
  await preview(page).waitFor({ state: "detached" });
  await close();
});

test("each missing value is named at its field, and what is filled stays", async () => {
  const { threadId } = await lateCustomer("Hasty Bob");
  const { page, go, close } = await world.open(world.owner, { expects: refused("400 conversations.answer") });
  await go(`/conversations/${threadId}`);
  await templateBox(page).click();
  await page.getByRole("option", { name: /delivery/ }).click();
  await valueBox(page, "Header, value 1").fill("B-7");
  await sendButton(page).click();
  await expect.poll(() => page.getByText("Enter this value.").count()).toBe(3);
  await focused(valueBox(page, "Value 1: “Good day"));
  expect(await valueBox(page, "Header, value 1").inputValue()).toBe("B-7");
  expect(await valueBox(page, "Header, value 1").getAttribute("aria-invalid")).not.toBe("true");
  await close();
});

test("another template doesn't get the values of the one before", async () => {
  const { id } = await addTemplate(world.ctx, channelId, { name: "invoice", variables: ["1"] });
  await world.services.sql`
    update templates set components = ${JSON.stringify([{ type: "BODY", text: "Pay {{1}}." }])}::text::jsonb
    where id = ${id}`;
  const { threadId } = await lateCustomer("Late Otto");
  const { page, go, close } = await world.open(world.owner);
  await go(`/conversations/${threadId}`);
  const choose = async (name: string) => {
    await templateBox(page).fill(name);
    await page.getByRole("option", { name: new RegExp(name) }).click();
  };
  await choose("delivery");
  await valueBox(page, "Value 1: “Good day ____").fill("Otto");
  await preview(page).getByText("Good day Otto").waitFor();
  await choose("invoice");
  await preview(page).getByText("Pay {{1}}.").waitFor();
  expect(await preview(page).textContent()).not.toContain("Otto");
  await close();
});

test("the form has one area that scrolls, its button stays in view, and nothing is wrong in any form", async () => {
  const { threadId } = await lateCustomer("Small Window");
  const { page, go, close } = await world.open(world.owner);
  await go(`/conversations/${threadId}`);
  await templateBox(page).click();
  await page.getByRole("option", { name: /delivery/ }).click();
  await preview(page).waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 700 });
  const areas = () =>
    page
      .getByRole("form", { name: "Answer" })
      .evaluate((form) =>
        [form, ...form.querySelectorAll("*")]
          .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY))
          .map((element) => element.scrollHeight > element.clientHeight),
      );
  await expect.poll(areas).toEqual([true]);
  const button = await sendButton(page).boundingBox();
  expect((button?.y ?? 700) + (button?.height ?? 0)).toBeLessThanOrEqual(700);
  await close();
});
