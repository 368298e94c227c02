import type { Locator, Page } from "playwright";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sendMessage } from "@/server/domain/messages/send/send";
import { addUpload } from "@/server/domain/messages/testing";
import { cameraRollFile } from "@/server/simulator/camera-roll";
import { customerSends } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { axeViolations } from "./support/axe";
import { answerBox, messages, sendButton } from "./support/conversations";
import { SIZES } from "./support/forms";
import { refused } from "./support/guard";
import { chooseItem, enter, focused, tabTo } from "./support/keyboard";
import { ENDINGS, newNumber } from "./support/send";
import { useSuite } from "./support/suite";

const suite = useSuite({ expects: refused("400 /api/files") });

const attachButton = (page: Page) => page.getByRole("button", { name: "Attach a file" });

const PHOTO = {
  name: "parcel.jpg",
  mimeType: "image/jpeg",
  buffer: Buffer.from(cameraRollFile("photo") ?? "", "base64"),
};

/** A message of a new customer's phone, and the conversation that it opens. */
async function receive(
  message: { type: string; content: object; demoFile?: string },
  from = newNumber(ENDINGS.read),
) {
  const { server, demo, services, ctx } = suite().world;
  const phoneNumberId = demo.phone_number_ids.default;
  await customerSends(server.simulatorUrl, { phoneNumberId, from, ...message });
  const { threadId } = await until("the conversation is there", async () => {
    const [row] = await services.sql<{ threadId: string }[]>`
      select v.id as "threadId" from conversations v
      join contact_identities i on i.contact_id = v.contact_id and i.organization_id = v.organization_id
      where v.organization_id = ${ctx.actor.organizationId} and i.handle = ${from}`;
    return row;
  });
  return { from, threadId };
}

const says = (body: string) => ({ type: "text", content: { body } });

/** Opens the conversation of a new customer who has written. */
async function openConversation() {
  const { threadId } = await receive(says("Which one?"));
  const { admin } = suite();
  await admin.go(`/conversations/${threadId}`);
  await messages(admin.page).getByText("Which one?").waitFor();
  return { page: admin.page, log: messages(admin.page), threadId };
}

/** Waits until WhatsApp has accepted the last message of the type. @returns what is stored of it. */
async function handedOver(threadId: string, type: string) {
  const { services } = suite().world;
  return until(`the ${type} is handed over`, async () => {
    const [row] = await services.sql<{ state: string; content: Record<string, unknown> }[]>`
      select state, content from messages
      where conversation_id = ${threadId} and kind = 'outbound' and type = ${type} order by accept_seq desc limit 1`;
    if (row?.state === "failed") throw new Error("It failed");
    return row && row.state !== "queued" ? row.content : null;
  });
}

/** The width of a picture's file, once it is loaded. */
const widthOf = (image: Locator) =>
  image.evaluate((element) => (element instanceof HTMLImageElement ? element.naturalWidth : 0));

async function choose(page: Page, file: typeof PHOTO): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await enter(page, attachButton(page));
  await (await chooser).setFiles(file);
}

test("a customer's picture is shown once it is there, and any other file is a download", async () => {
  const { page, log, threadId } = await openConversation();
  const [row] = await suite().world.services.sql<{ handle: string }[]>`
    select i.handle from conversations v join contact_identities i on i.contact_id = v.contact_id
    where v.id = ${threadId} and i.kind = 'whatsapp'`;
  const from = row?.handle ?? "";
  await receive({ type: "image", content: { caption: "At the door" }, demoFile: "photo" }, from);
  await receive({ type: "sticker", content: {}, demoFile: "smile" }, from);
  await receive({ type: "document", content: { filename: "receipt.pdf" }, demoFile: "receipt" }, from);
  await log.getByText("At the door").waitFor();
  const picture = log.getByRole("img", { name: "Picture from the customer" });
  const sticker = log.getByRole("img", { name: "Sticker from the customer" });
  await expect.poll(() => widthOf(picture)).toBe(240);
  await expect.poll(() => widthOf(sticker)).toBe(192);
  expect((await sticker.boundingBox())?.width).toBeLessThan(150);
  const receipt = log.getByRole("link", { name: "receipt.pdf" });
  await log.getByText("application/pdf · ").waitFor();
  const download = page.waitForEvent("download");
  await receipt.click();
  expect((await download).suggestedFilename()).toBe("receipt.pdf");
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    // Colours change gradually.
    await expect.poll(() => axeViolations(page), { message: colorScheme }).toEqual([]);
  }
  await page.setViewportSize(SIZES.narrow);
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(SIZES.narrow.width);
  expect((await picture.boundingBox())?.width).toBeLessThan(SIZES.narrow.width);
  await page.setViewportSize(SIZES.wide);
});

test("by keyboard, a picture is attached, removed, attached again, and sent with a caption", async () => {
  const { page, log, threadId } = await openConversation();
  await choose(page, PHOTO);
  await page.getByText("Picture · ").waitFor();
  await enter(page, page.getByRole("button", { name: "Remove the file" }));
  await page.getByText("Picture · ").waitFor({ state: "detached" });
  await focused(answerBox(page));
  expect(await sendButton(page).isDisabled()).toBe(true);
  await choose(page, PHOTO);
  await page.getByText("Picture · ").waitFor();
  await tabTo(page, answerBox(page));
  await page.keyboard.type("This one");
  await page.keyboard.press("Control+Enter");
  await log.getByText("This one").waitFor();
  await page.getByText("Picture · ").waitFor({ state: "detached" });
  expect(await answerBox(page).inputValue()).toBe("");
  const picture = log.getByRole("img", { name: "parcel.jpg to the customer" });
  await expect.poll(() => widthOf(picture)).toBe(240);
  expect(await handedOver(threadId, "image")).toMatchObject({
    media: { storage_key: expect.stringMatching(/^upl_/) },
    text: { body: "This one" },
  });
});

test("a document keeps its name, and a file without a caption leaves the text in the box", async () => {
  const { page, log, threadId } = await openConversation();
  await answerBox(page).fill("For later");
  const sticker = Buffer.from(cameraRollFile("smile") ?? "", "base64");
  await choose(page, { name: "smile.webp", mimeType: "image/webp", buffer: sticker });
  await page.getByText("sent without a text").waitFor();
  expect(await answerBox(page).isDisabled()).toBe(true);
  await sendButton(page).click();
  await page.getByText("sent without a text").waitFor({ state: "detached" });
  expect(await answerBox(page).inputValue()).toBe("For later");
  await handedOver(threadId, "sticker");
  const receipt = Buffer.from(cameraRollFile("receipt") ?? "", "base64");
  await choose(page, { name: "Rechnung für Zoë.pdf", mimeType: "application/pdf", buffer: receipt });
  await page.getByText("Document · ").waitFor();
  await sendButton(page).click();
  await log.getByText("application/pdf · ").waitFor();
  const download = page.waitForEvent("download");
  await log.getByRole("link", { name: "Rechnung für Zoë.pdf" }).click();
  expect(readFileSync(await (await download).path())).toEqual(receipt);
  expect(await handedOver(threadId, "document")).toMatchObject({
    media: { filename: "Rechnung für Zoë.pdf" },
    text: { body: "For later" },
  });
});

test("a file that is gone is named, and one that was sent by its URL is never loaded", async () => {
  const { page, log, threadId } = await openConversation();
  const { services, ctx } = suite().world;
  const send = (type: "image" | "document", media: object) =>
    sendMessage({
      ctx,
      input: { client_message_id: randomUUID(), type, thread_id: threadId, media },
    });
  const { id, storageKey } = await addUpload(ctx);
  await send("image", { storage_key: storageKey, filename: "old.png" });
  await services.sql`update uploads set erased_at = now() where id = ${id}`;
  await send("image", { url: "https://elsewhere.example/new.png", filename: "new.png" });
  const loaded: string[] = [];
  page.on("request", (request) => void loaded.push(request.url()));
  await page.reload();
  await log.getByText("old.png").waitFor();
  await log.getByText("no longer available: Waypost erases uploads after about 30 days").waitFor();
  await log.getByText("sent by its URL: Waypost has no copy").waitFor();
  const link = log.getByRole("link", { name: "https://elsewhere.example/new.png" });
  expect(await link.getAttribute("rel")).toBe("noreferrer");
  expect(await log.getByRole("img").count()).toBe(0);
  expect(loaded.filter((url) => url.includes("elsewhere") || url.includes("/api/files/"))).toEqual([]);
});

test("a file that WhatsApp doesn't take is refused in words, and another one can follow", async () => {
  const { page } = await openConversation();
  const program = {
    name: "setup.exe",
    mimeType: "application/x-msdownload",
    buffer: Buffer.from("MZ program"),
  };
  await choose(page, program);
  const alert = page.getByRole("form", { name: "Answer" }).getByRole("alert");
  await alert.filter({ hasText: /application\/x-msdownload/ }).waitFor();
  await alert.filter({ hasText: "Choose another file" }).waitFor();
  expect(await sendButton(page).isDisabled()).toBe(true);
  await choose(page, PHOTO);
  await page.getByText("Picture · ").waitFor();
  expect(await alert.count()).toBe(0);
});

test("by keyboard, a message is quoted, and gets a reaction that is taken back", async () => {
  const { page, log, threadId } = await openConversation();
  const actions = log.getByRole("button", { name: "Message actions" }).first();
  await enter(page, actions);
  await chooseItem(page, "Reply with a quote");
  await focused(answerBox(page));
  await page.keyboard.press("Escape");
  await page.getByText("Reply to").waitFor({ state: "detached" });
  await focused(answerBox(page));
  await enter(page, actions);
  await chooseItem(page, "Reply with a quote");
  await focused(answerBox(page));
  await page.keyboard.type("The blue one");
  await page.keyboard.press("Control+Enter");
  await log.getByRole("button", { name: /Go to the quoted message:.*Which one\?/ }).waitFor();
  expect(await page.getByRole("button", { name: "Don’t quote" }).count()).toBe(0);
  expect(await handedOver(threadId, "text")).toMatchObject({
    text: { body: "The blue one" },
    reply_to: { message_id: expect.any(String) },
  });
  await enter(page, actions);
  await chooseItem(page, "React: heart");
  await log.getByText("❤️").waitFor();
  expect(await handedOver(threadId, "reaction")).toMatchObject({ reaction: { emoji: "❤️" } });
  await enter(page, actions);
  await chooseItem(page, "Take back ❤️");
  await log.getByText("❤️").waitFor({ state: "detached" });
  await until("the reaction is taken back", async () => {
    const { reaction } = await handedOver(threadId, "reaction");
    return JSON.stringify(reaction).includes('"emoji":""');
  });
});
