import { beforeAll, expect, test } from "vitest";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { refused } from "@/e2e/admin/support/guard";
import { chooseItem, enter, focused, tabTo } from "@/e2e/admin/support/keyboard";
import { newNumber, send } from "@/e2e/admin/support/send";
import { useSuite } from "@/e2e/admin/support/suite";
import { until } from "@/e2e/support/until";
import { accessTokenPurpose } from "@/server/platform/secrets/vault";

const suite = useSuite({ expects: refused("400 phone.act") });
let token: string;
beforeAll(async () => {
  const { world } = suite();
  const channelId = world.demo.channels.default;
  const [row] = await world.services.sql<{ sealed: string }[]>`
    select access_token_encrypted as sealed from channels where id = ${channelId}`;
  token = world.services.vault.decrypt(row?.sealed ?? "", accessTokenPurpose(channelId));
});

/** Sends to the customer as Waypost's client does, but of any type. */
async function sendAny(to: string, message: object): Promise<string> {
  const { demo, server } = suite().world;
  const answer = await fetch(`${server.simulatorUrl}/v24.0/${demo.phone_number_ids.default}/messages`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify({ messaging_product: "whatsapp", to, ...message }),
  });
  expect(answer.status).toBe(200);
  const body: { messages: [{ id: string }] } = await answer.json();
  return body.messages[0].id;
}

const text = (body: string) => ({ type: "text", text: { body } });

/** Opens the phone of a new customer. */
async function openPhone(to = newNumber("90001")) {
  const { admin, world } = suite();
  const { page } = admin;
  await admin.go(`/phone/${world.demo.channels.default}/${to}`);
  const phone = page.getByRole("region", { name: "Phone" });
  const theirs = phone.getByRole("article", { name: "Message from the business" });
  const own = phone.getByRole("article", { name: "Message from the customer" });
  await phone.getByLabel("Message as the customer").waitFor();
  return { to, page, phone, theirs, own };
}

test("by keyboard: the customer writes, quotes, reacts and takes the reaction back", async () => {
  const { to, page, phone, theirs, own } = await openPhone();
  await sendAny(to, text("Hello"));
  await theirs.getByText("Hello").waitFor();
  const more = phone.getByRole("button", { name: "React or quote" }).first();
  await enter(page, more);
  await chooseItem(page, "Quote");
  await phone.getByRole("button", { name: "Don’t quote" }).waitFor();
  const field = phone.getByLabel("Message as the customer");
  await tabTo(page, field);
  await page.keyboard.type("One line");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("and another");
  await page.keyboard.press("Enter");
  await own.getByText("One line\nand another").waitFor();
  await own.getByRole("blockquote").getByText("Hello").waitFor();
  await focused(field);
  await enter(page, more);
  await chooseItem(page, "React: thumbs up");
  await theirs.getByText("👍").waitFor();
  await enter(page, more);
  await chooseItem(page, "Take 👍 back");
  await theirs.getByText("👍").waitFor({ state: "detached" });
  expect(await own.count()).toBe(1);
});

test("buttons and lists answer, and a request for the location is answered by it", async () => {
  const { to, page, phone, own } = await openPhone();
  const body = { text: "Choose" };
  const reply = { type: "reply", reply: { id: "y", title: "Yes" } };
  await sendAny(to, {
    type: "interactive",
    interactive: { type: "button", body, action: { buttons: [reply] } },
  });
  await enter(page, phone.getByRole("button", { name: "Yes" }));
  await own.getByText("Yes").waitFor();
  const rows = [{ id: "1", title: "Morning", description: "before noon" }];
  const action = { button: "Times", sections: [{ title: "Today", rows }] };
  await sendAny(to, { type: "interactive", interactive: { type: "list", body, action } });
  await enter(page, phone.getByRole("button", { name: "Times" }));
  const dialog = page.getByRole("dialog", { name: "Times" });
  await enter(page, dialog.getByRole("button", { name: "Morning" }));
  await own.getByText("Morning").waitFor();
  const interactive = { type: "location_request_message", body, action: { name: "send_location" } };
  await sendAny(to, { type: "interactive", interactive });
  await enter(page, phone.getByRole("button", { name: "Send location" }));
  await own.getByText("Brandenburger Tor").waitFor();
  const { services, ctx } = suite().world;
  await until("Waypost has received the answers", async () => {
    const found = await services.sql`
      select from messages m join contact_identities i on i.contact_id = m.contact_id
      where m.organization_id = ${ctx.actor.organizationId} and m.kind = 'inbound' and i.handle = ${to}`;
    return found.length === 3;
  });
});

test("the tray sends each demo file, a place, a contact and a stop word", async () => {
  const { page, phone, own } = await openPhone();
  const attach = async (name: string) => {
    await enter(page, phone.getByRole("button", { name: "Attach" }));
    await chooseItem(page, name);
  };
  await attach("Photo of a parcel");
  await own.getByRole("img", { name: "Picture" }).waitFor();
  await attach("Sticker: a smile");
  await own.getByRole("img", { name: "Sticker" }).waitFor();
  const loaded: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("phone.file")) loaded.push(request.url());
  });
  await attach("Voice note");
  await own.getByRole("button", { name: "Load Voice note" }).waitFor();
  await attach("Receipt (PDF)");
  await own.getByRole("button", { name: "Load receipt.pdf" }).waitFor();
  expect(loaded).toEqual([]);
  await enter(page, own.getByRole("button", { name: "Load Voice note" }));
  await focused(own.getByLabel("Voice note"));
  await enter(page, own.getByRole("button", { name: "Load receipt.pdf" }));
  await focused(own.getByRole("link", { name: "receipt.pdf" }));
  await attach("Location");
  await own.getByText("Brandenburger Tor").waitFor();
  await attach("Contact card");
  await own.getByText("Ada Lovelace").waitFor();
  await attach("Write STOP");
  await own.getByText("STOP").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
});

test("chosen trouble happens to the next message once, and unread messages can be read", async () => {
  const { to, page, phone, theirs } = await openPhone();
  const choice = (name: string) => page.getByRole("radio", { name, exact: true });
  await choice("Not read yet").click();
  await expect.poll(() => choice("Not read yet").isChecked()).toBe(true);
  await sendAny(to, text("Look"));
  await theirs.getByText("unread").waitFor();
  await expect.poll(() => choice("Nothing").isChecked()).toBe(true);
  await enter(page, phone.getByRole("button", { name: "Read" }));
  await theirs.getByText("read", { exact: true }).waitFor();
  await choice("Number changed").click();
  await expect.poll(() => choice("Number changed").isChecked()).toBe(true);
  await sendAny(to, text("Lost"));
  await theirs.getByText("Not delivered: Message undeliverable (131026)").waitFor();
  await phone.getByRole("link", { name: /^Open the phone of / }).click();
  await phone.getByText("No messages yet").waitFor();
});

test("the customer changes the number, and stops and allows marketing messages", async () => {
  const { page, phone } = await openPhone();
  await page.getByRole("button", { name: "Stop marketing messages" }).click();
  await phone.getByText("You stopped marketing messages").waitFor();
  await page.getByRole("button", { name: "Allow them again" }).click();
  await phone.getByText("You allowed marketing messages").waitFor();
  await page.getByRole("button", { name: "Change number" }).click();
  const dialog = page.getByRole("dialog", { name: "Change the customer’s number" });
  await dialog.getByLabel("New number").fill("soon");
  await dialog.getByRole("button", { name: "Change number" }).click();
  await dialog.getByText(/must be another number/i).waitFor();
  await dialog.getByLabel("New number").fill(`+${newNumber("90001")}`);
  await dialog.getByRole("button", { name: "Change number" }).click();
  await phone.getByText(/You changed your number to/).waitFor();
  expect(await dialog.count()).toBe(0);
});

test("long texts, right-to-left, emoji and typing pass axe in light, dark and 390 px", async () => {
  const { to, page, phone, theirs, own } = await openPhone();
  const field = phone.getByLabel("Message as the customer");
  await field.fill("مرحبا، أين طلبي؟ 🙏");
  await page.keyboard.press("Enter");
  await own.getByText("أين طلبي").waitFor();
  await sendAny(to, text("x".repeat(4096)));
  await sendAny(to, text("👩‍👩‍👧‍👦 ".repeat(20)));
  await theirs.getByText("xxxx").waitFor();
  expect(await faultsInEachForm(page)).toEqual([]);
});

test("on a narrow screen the phone is all there is, and its settings take its place", async () => {
  const { page, phone } = await openPhone();
  const navigation = page.getByRole("button", { name: "Open navigation" });
  const settings = phone.getByRole("button", { name: "Test settings" });
  expect(await settings.isVisible()).toBe(false);
  await page.setViewportSize({ width: 390, height: 800 });
  await settings.waitFor();
  expect(await navigation.isVisible()).toBe(false);
  await expect.poll(() => phone.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
  await enter(page, settings);
  await focused(page.getByRole("button", { name: "Back to the phone" }));
  await page.getByRole("radio", { name: "Slow" }).waitFor();
  expect(await phone.isVisible()).toBe(false);
  await page.keyboard.press("Enter");
  await focused(settings);
  await enter(page, phone.getByRole("link", { name: "All phones" }));
  await page.getByRole("heading", { name: "Customer’s phone" }).waitFor();
  await navigation.waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
});

test("the phone opens from a message, from its contact, and by a number", async () => {
  const { admin, world } = suite();
  const { page } = admin;
  const number = newNumber("90001");
  const sent = await send(suite(), number);
  await admin.go(`/messages/${sent.id}`);
  await page.getByRole("dialog").getByRole("link", { name: "Customer’s phone" }).click();
  await page.getByRole("heading", { name: `Phone of +${number}` }).waitFor();
  await admin.go(`/contacts/${world.demo.contacts.open_window.contact_id}`);
  await page.getByRole("main").getByRole("link", { name: "Customer’s phone" }).waitFor();
  await admin.go("/phone");
  expect(await faultsInEachForm(page)).toEqual([]);
  await page.getByRole("textbox", { name: "Number" }).fill("soon");
  await page.getByRole("button", { name: "Open the phone" }).click();
  await page.getByText("Write the number with its country code").waitFor();
  await page.getByRole("textbox", { name: "Number" }).fill(`+${number}`);
  await page.getByRole("button", { name: "Open the phone" }).click();
  await page.getByRole("heading", { name: `Phone of +${number}` }).waitFor();
});
