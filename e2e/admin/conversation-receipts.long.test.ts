import type { Page } from "playwright";
import { expect, test } from "vitest";
import { until } from "@/e2e/support/until";
import { answerBox, messages, sendButton } from "./support/conversations";
import { refused } from "./support/guard";
import { newNumber } from "./support/send";
import { useSuite } from "./support/suite";

const suite = useSuite();

/** A customer at their phone, who has just written. */
async function customerAtPhone() {
  const { admin, world } = suite();
  const { page } = admin;
  const to = newNumber("90001");
  await admin.go(`/phone/${world.demo.channels.default}/${to}`);
  const phone = page.getByRole("region", { name: "Phone" });
  const own = (body: string) =>
    phone.getByRole("article", { name: "Message from the customer" }).filter({ hasText: body });
  const write = async (body: string) => {
    await phone.getByLabel("Message as the customer").fill(body);
    await page.keyboard.press("Enter");
    await own(body).waitFor();
  };
  await write("Is anybody there?");
  const threadId = await until("Waypost has received it", async () => {
    const [row] = await world.services.sql<{ id: string }[]>`
      select v.id from conversations v join contact_identities i on i.contact_id = v.contact_id
      where v.organization_id = ${world.ctx.actor.organizationId} and i.handle = ${to} and v.last_inbound_at is not null`;
    return row?.id;
  });
  const isRead = (body: string) => own(body).getByText("read by the business").isVisible();
  return { phone, write, isRead, threadId, typing: phone.getByText("typing…") };
}

/** Marks that a page asks for, in order: `read`, or `typing` with the typing indicator. */
function marksOf(page: Page): string[] {
  const marks: string[] = [];
  page.on("request", (request) => {
    if (!request.url().includes("messages.markRead")) return;
    marks.push(request.postData()?.includes('"typing":true') === true ? "typing" : "read");
  });
  return marks;
}

/** The page's own idea of whether it is seen. */
const setVisible = (page: Page, isVisible: boolean) =>
  page.evaluate(
    (state) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
      document.dispatchEvent(new Event("visibilitychange"));
    },
    isVisible ? "visible" : "hidden",
  );

test("the customer sees blue ticks for what is read in a visible tab, each message marked once", async () => {
  const { world } = suite();
  const { write, isRead, threadId } = await customerAtPhone();
  const { page, go, close } = await world.open(world.owner);
  await page.addInitScript(() => {
    Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "hidden" });
  });
  const marks = marksOf(page);
  await go(`/conversations/${threadId}`);
  await messages(page).getByText("Is anybody there?").waitFor();
  expect(marks).toEqual([]);
  expect(await isRead("Is anybody there?")).toBe(false);
  await setVisible(page, true);
  await expect.poll(() => isRead("Is anybody there?")).toBe(true);
  await write("It is urgent");
  await expect.poll(() => isRead("It is urgent")).toBe(true);
  await setVisible(page, false);
  await setVisible(page, true);
  // Two more looks at the conversation, which is marked by now.
  for (const _ of [1, 2]) await page.waitForResponse(/conversations\.get/);
  expect(marks).toEqual(["read", "read"]);
  await page.reload();
  await messages(page).getByText("It is urgent").waitFor();
  await setVisible(page, true);
  for (const _ of [1, 2]) await page.waitForResponse(/conversations\.get/);
  expect(marks).toEqual(["read", "read"]);
  await close();
});

test("the customer sees that an answer is written, as long as it is, and nothing of a note", async () => {
  const { world } = suite();
  const { phone, isRead, threadId, typing } = await customerAtPhone();
  const { page, go, close } = await world.open(world.owner);
  const marks = marksOf(page);
  const typed = () => marks.filter((mark) => mark === "typing").length;
  await go(`/conversations/${threadId}`);
  await expect.poll(() => isRead("Is anybody there?")).toBe(true);
  await page.getByText("Internal note", { exact: true }).click();
  await page.getByRole("textbox", { name: "Internal note" }).pressSequentially("Impatient");
  await page.getByText("Text", { exact: true }).click();
  const startedAt = Date.now();
  await page.clock.setFixedTime(startedAt);
  await answerBox(page).pressSequentially("Good morning, we ");
  await typing.first().waitFor();
  await answerBox(page).pressSequentially("are here");
  expect(typed()).toBe(1);
  await page.clock.setFixedTime(startedAt + 21_000);
  await answerBox(page).pressSequentially(" for you");
  await expect.poll(typed).toBe(2);
  await sendButton(page).click();
  await phone.getByText("Good morning, we are here for you").waitFor();
  await typing.first().waitFor({ state: "detached" });
  await answerBox(page).pressSequentially("And");
  await typing.first().waitFor();
  expect(marks).toEqual(["read", "typing", "typing", "typing"]);
  await answerBox(page).fill("");
  await close();
});

test("a mark that fails disturbs nothing, and is tried again at the next look", async () => {
  const { world } = suite();
  const { isRead, threadId } = await customerAtPhone();
  const { page, go, close } = await world.open(world.owner, { expects: refused("500 messages.markRead") });
  const marks = marksOf(page);
  await page.route(/messages\.markRead/, (route) => route.fulfill({ status: 500, json: {} }));
  await go(`/conversations/${threadId}`);
  await expect.poll(() => marks).toEqual(["read"]);
  await answerBox(page).pressSequentially("Good morning");
  await expect.poll(() => marks).toEqual(["read", "typing"]);
  for (const _ of [1, 2]) await page.waitForResponse(/conversations\.get/);
  expect(marks).toHaveLength(2);
  const conversation = page.getByRole("region", { name: "Conversation", exact: true });
  expect(await conversation.getByRole("alert").count()).toBe(0);
  expect(await answerBox(page).inputValue()).toBe("Good morning");
  await page.unroute(/messages\.markRead/);
  await setVisible(page, false);
  await setVisible(page, true);
  await expect.poll(() => isRead("Is anybody there?")).toBe(true);
  await answerBox(page).fill("");
  await close();
});

test("a member who may only read marks nothing", async () => {
  const { world } = suite();
  const { isRead, threadId } = await customerAtPhone();
  const { page, go, close } = await world.open(world.owner);
  const marks = marksOf(page);
  // Every role has the permission, so it is removed from the delivered page.
  await page.route(
    (url) => url.pathname.endsWith(`/conversations/${threadId}`),
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(String.raw`\"messages.send\",`, "");
      await route.fulfill({ response, body });
    },
  );
  await go(`/conversations/${threadId}`);
  await messages(page).getByText("Is anybody there?").waitFor();
  expect(await answerBox(page).count()).toBe(0);
  for (const _ of [1, 2]) await page.waitForResponse(/conversations\.get/);
  expect(marks).toEqual([]);
  expect(await isRead("Is anybody there?")).toBe(false);
  await close();
});
