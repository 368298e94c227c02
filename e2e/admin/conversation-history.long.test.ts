import type { Locator } from "playwright";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Conversation } from "@/server/domain/messages/testing";
import { said, write } from "@/server/domain/support/testing";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { createCustomers, listed, messages } from "./support/conversations";
import { focused } from "./support/keyboard";

/** More than two pages. */
const MESSAGES = 130;
/** Browsers scroll by whole pixels of the screen. */
const ROUNDING_PX = 3;

let world: AdminWorld;
let channelId: string;
let customer: (name: string) => Promise<Conversation>;

beforeAll(async () => {
  world = await openAdminWorld();
  ({ channelId, customer } = await createCustomers(world));
});
afterAll(() => world.close());

/** A conversation of many messages, whose last one quotes the first. */
async function longConversation(name: string) {
  const { threadId, handle } = await customer(name);
  const say = (body: string) => write(world.ctx, channelId, handle, said(body));
  const first = await say("Message 1.");
  for (let number = 2; number <= MESSAGES; number++) await say(`Message ${number}.`);
  const quote = { ...said("As I wrote"), reply_to: { upstream_id: first.upstreamId } };
  await write(world.ctx, channelId, handle, quote);
  return { threadId, first, say };
}

const topOf = (entry: Locator) =>
  entry.evaluate((element) => Math.round(element.getBoundingClientRect().top));

test("what is being read stays in its place while messages are added above and below", async () => {
  const { threadId, say } = await longConversation("Slow Reader");
  const { page, go, close } = await world.open(world.owner);
  await go(`/conversations/${threadId}`);
  const log = messages(page);
  const more = log.getByRole("button", { name: "Show earlier messages" });
  const entries = log.getByRole("listitem").filter({ hasText: /Message \d+\./ });
  await entries.first().waitFor();
  for (const _ of [1, 2]) {
    const before = await entries.count();
    const oldest = (await entries.first().textContent()) ?? "";
    await more.scrollIntoViewIfNeeded();
    const [number = ""] = /Message \d+\./.exec(oldest) ?? [];
    const read = log.getByText(number, { exact: true });
    const top = await topOf(read);
    await more.click();
    await expect.poll(() => entries.count()).toBeGreaterThan(before);
    await expect.poll(async () => Math.abs((await topOf(read)) - top)).toBeLessThan(ROUNDING_PX);
  }
  const middle = log.getByText(`Message ${MESSAGES - 60}.`, { exact: true });
  await middle.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const top = await topOf(middle);
  await say("A new one");
  await log.getByText("A new one").waitFor({ state: "attached" });
  expect(Math.abs((await topOf(middle)) - top)).toBeLessThan(ROUNDING_PX);
  await close();
});

test("a quote leads to a message that isn't loaded yet, and not any more once the conversation is left", async () => {
  const { threadId, first } = await longConversation("Far Quote");
  await customer("Next Door");
  const { page, go, close } = await world.open(world.owner);
  await go(`/conversations/${threadId}`);
  const quote = messages(page).getByRole("button", { name: /Go to the quoted message/ });
  await quote.click();
  await focused(page.locator(`#entry-${first.id}`));
  await go(`/conversations/${threadId}`);
  await quote.waitFor();
  const asked: string[] = [];
  page.on("request", (request) => {
    if (/conversations\.timeline/.test(request.url()) && /cursor/.test(request.url()))
      asked.push(request.url());
  });
  await page.route(/conversations\.timeline.*cursor/, async (route) => {
    await listed(page, "Next Door").click();
    await page.getByRole("heading", { name: "Next Door" }).waitFor();
    await route.continue();
  });
  await quote.click();
  await messages(page).getByText("Hello", { exact: true }).waitFor();
  await page.waitForResponse(/conversations\.timeline/);
  expect(asked).toHaveLength(1);
  await close();
});
