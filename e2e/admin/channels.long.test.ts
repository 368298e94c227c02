import { expect, test } from "vitest";
import {
  checkOf,
  connectButton,
  connectByHand,
  field,
  fill,
  heading,
  useChannelSuite,
} from "@/e2e/admin/support/channels";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { refused } from "@/e2e/admin/support/guard";
import { holdBack } from "@/e2e/admin/support/hold-back";
import { focused, tabTo } from "@/e2e/admin/support/keyboard";
import { fact, row } from "@/e2e/admin/support/parts";
import { nowhereInDatabase, trafficOf } from "@/e2e/admin/support/secrecy";
import { customerWrites } from "@/e2e/support/simulator";

const suite = useChannelSuite();
const owner = () => suite().openAsOwner();

test("a number is connected after Meta took its credentials, and the page notices the first callback", async () => {
  const { meta, world } = suite();
  const number = await meta.addNumber();
  const { page, go, close } = await owner();
  await go("/channels");
  await page.getByRole("button", { name: "Connect a number" }).click();
  await field(page, "WhatsApp Business Account ID").fill("no id");
  await connectButton(page).click();
  await page.getByText("Must contain only digits.").waitFor();
  expect(await page.getByText("This field is required.").count()).toBe(4);
  await focused(field(page, "Name"));
  await fill(page, "Shop at Meta", { ...number, accessToken: "EAAwrong-token" });
  await connectButton(page).click();
  await checkOf(page, "Access token")
    .getByText(/^Wasn't accepted\. Meta says: \(#190\)/)
    .waitFor();
  await checkOf(page, "Access token").getByText("System users > Generate token").waitFor();
  expect(await checkOf(page, "Phone number").textContent()).toContain("Not checked");
  await focused(field(page, "Access token"));
  expect(await page.getByText("Wasn't accepted. Meta says: (#190)").count()).toBe(2);
  expect(await field(page, "Name").inputValue()).toBe("Shop at Meta");
  expect(await field(page, "Phone number ID").inputValue()).toBe(number.phoneNumberId);
  expect(await field(page, "Access token").inputValue()).toBe("");

  await fill(page, "Shop at Meta", { ...number, appSecret: "wrong-secret" });
  await connectButton(page).click();
  await checkOf(page, "App secret")
    .getByText(/^Wasn't saved: it belongs to a different app.*Meta says: \(#100\)/)
    .waitFor();
  await checkOf(page, "Phone number")
    .getByText(`${number.displayPhoneNumber} belongs to the account.`)
    .waitFor();
  await focused(field(page, "App secret"));
  await fill(page, "Shop at Meta", { ...number, wabaId: "1" });
  await connectButton(page).click();
  await checkOf(page, "WhatsApp Business Account")
    .getByText(/^Isn't the id of an account/)
    .waitFor();
  await focused(field(page, "WhatsApp Business Account ID"));
  await field(page, "WhatsApp Business Account ID").fill(number.wabaId);
  await connectButton(page).dblclick();

  await heading(page, "Shop at Meta").waitFor();
  await page.getByText("Waiting for Meta to verify the URL.").waitFor();
  await page.getByText("WAYPOST_PUBLIC_URL").waitFor();
  await page.evaluate(() => Object.assign(globalThis, { isStillThisPage: true }));
  const verifyToken = await field(page, "Verify token").inputValue();
  const url = (await page.getByText(`${world.server.baseUrl}/api/upstream/whatsapp/`).textContent()) ?? "";
  await meta.enterCallback(number, { url, verifyToken });
  await customerWrites(world.server.metaUrl, { ...number, from: "4915155555555", body: "Good morning" });
  await page.getByText("Callbacks are arriving.").waitFor();
  expect(await page.evaluate(() => "isStillThisPage" in globalThis)).toBe(true);
  await page.getByText("connected a channel").waitFor();
  expect(await fact(page, "Number").textContent()).toBe(number.displayPhoneNumber);

  await page.reload();
  await page.getByText("Create a new verify token").waitFor();
  expect(await page.content()).not.toContain(verifyToken);
  await go("/channels");
  await row(page, "Shop at Meta").waitFor();
  expect(await row(page, "Shop at Meta").count()).toBe(1);
  await close();
});

test("a missing subscription is the last check, and is mended or left out in place; axe and the keyboard are content", async () => {
  const { meta } = suite();
  const [first, second] = [
    await meta.addNumber({ app_subscribed: false }),
    await meta.addNumber({ app_subscribed: false, token_expires_at: Date.UTC(2096, 1, 3) / 1000 }),
  ];
  const { page, go, close } = await owner();
  await go("/channels?dialog=connect");
  await fill(page, "Subscribed here", first);
  await page.keyboard.press("Enter");
  const missing = checkOf(page, "Subscription to events");
  await missing.getByText("The app isn’t subscribed to the account’s events.").waitFor();
  await focused(missing.getByRole("alert"));
  expect(await page.getByText("Phone number: passed").count()).toBe(1);
  expect(await faultsInEachForm(page)).toEqual([]);
  await field(page, "App secret").press("End");
  await page.keyboard.type("0");
  expect(await page.getByRole("button", { name: "Subscribe the app" }).count()).toBe(0);
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("button", { name: "Subscribe the app" }));
  await page.keyboard.press("Enter");
  await heading(page, "Subscribed here").waitFor();

  await go("/channels?dialog=connect");
  await fill(page, "Without callbacks", second);
  await connectButton(page).click();
  await page.getByText("It expires on 2096-02-03 00:00 UTC.").waitFor();
  await page.getByRole("button", { name: "Connect without it" }).click();
  await heading(page, "Without callbacks").waitFor();
  await close();
});

test("a dialog that is closed while a check runs connects nothing", async () => {
  const { meta, world } = suite();
  const number = await meta.addNumber();
  const { page, go, close } = await owner();
  await go("/channels?dialog=connect");
  const calls: string[] = [];
  page.on("request", (request) => void calls.push(request.url()));
  const release = await holdBack(page, /channels\.check/);
  await fill(page, "Never connected", number);
  await connectButton(page).click();
  await checkOf(page, "Access token").getByText("Checking…").waitFor();
  const answered = page.waitForResponse(/channels\.check/);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await release();
  await (await answered).finished();
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  expect(calls.filter((url) => /channels\.(check|connect)/.test(url))).toHaveLength(1);
  const { sql } = world.services;
  expect(await sql`select id from channels where phone_number_id = ${number.phoneNumberId}`).toEqual([]);
  await close();
});

test("an address that was verified, and isn’t called yet, is told as such", async () => {
  const { meta, world } = suite();
  const number = await meta.addNumber();
  const { page, go, close } = await owner();
  await go("/channels");
  const verifyToken = await connectByHand(page, "Verified only", number);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  const query = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.verify_token": verifyToken,
    "hub.challenge": "1158201444",
  });
  const answer = await fetch(`${world.server.baseUrl}/api/upstream/whatsapp/${id}?${query}`);
  expect(await answer.text()).toBe("1158201444");
  await page.getByText("Waiting for the first callback").waitFor();
  await page.getByRole("button", { name: "Copy: Verify token" }).waitFor();
  await close();
});

test("a number that is in use already may be said so, and a taken one is refused at its field", async () => {
  const { meta } = suite();
  const number = await meta.addNumber();
  const { page, go, close } = await owner();
  await go("/channels?dialog=connect");
  await fill(page, "In use before", number);
  await page.getByRole("checkbox", { name: "This number is already in use" }).check();
  await connectButton(page).click();
  await heading(page, "In use before").waitFor();
  await page.getByText("This number was already in use").waitFor();
  await go("/channels?dialog=connect");
  await fill(page, "Once more", number);
  await connectButton(page).click();
  await page.getByText(/^Is already connected, as channel .* \(In use before\)/).waitFor();
  expect(await field(page, "Name").inputValue()).toBe("Once more");
  await close();
});

test("token, app secret and verify token are nowhere: in no table, log, page, address or later answer", async () => {
  const { meta, world } = suite();
  const number = await meta.addNumber();
  const { page, go, close } = await owner();
  await go("/channels");
  const verifyToken = await connectByHand(page, "Kept secret", number);
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const renewed = await meta.renewCredentials(number);
  await page.getByRole("button", { name: "New credentials" }).click();
  await field(page, "Access token").fill(renewed.accessToken);
  await field(page, "App secret").fill(renewed.appSecret);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The credentials were saved.").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const traffic = trafficOf(page);
  await page.getByRole("link", { name: "All channels" }).click();
  await row(page, "Kept secret").getByRole("link").click();
  await heading(page, "Kept secret").waitFor();
  await page.getByText("connected a channel").waitFor();
  await go(`/channels/${id}`);
  await heading(page, "Kept secret").waitFor();
  await go("/templates");
  await page.getByRole("heading", { name: "Templates" }).waitFor();
  const inPage = await page.evaluate(() =>
    [document.documentElement.outerHTML, JSON.stringify(localStorage), JSON.stringify(sessionStorage)].join(),
  );
  const seen = await traffic();
  expect(seen).toContain("Kept secret");
  const secrets = [number, renewed].flatMap(({ accessToken, appSecret }) => [accessToken, appSecret]);
  for (const secret of [...secrets, verifyToken]) {
    for (const place of [seen, inPage, page.url(), await world.server.output()])
      expect(place).not.toContain(secret);
    expect(await nowhereInDatabase(world.services.sql, secret)).toEqual([]);
  }
  await close();
});

test("a number is connected by the keyboard alone", async () => {
  const { meta } = suite();
  const number = await meta.addNumber();
  const { page, go, close } = await owner();
  await go("/channels");
  await tabTo(page, page.getByRole("button", { name: "Connect a number" }));
  await page.keyboard.press("Enter");
  await focused(field(page, "Name"));
  await page.keyboard.press("Escape");
  await focused(page.getByRole("button", { name: "Connect a number" }));
  await page.keyboard.press("Enter");
  await focused(field(page, "Name"));
  await page.keyboard.type("By keyboard");
  for (const [name, value] of [
    ["Phone number ID", number.phoneNumberId],
    ["WhatsApp Business Account ID", number.wabaId],
    ["Access token", number.accessToken],
    ["App secret", number.appSecret],
  ] as const) {
    await tabTo(page, field(page, name));
    await page.keyboard.insertText(value);
  }
  await page.keyboard.press("Enter");
  await heading(page, "By keyboard").waitFor();
  await tabTo(page, page.getByRole("button", { name: "Disable" }));
  await page.keyboard.press("Enter");
  await focused(page.getByRole("dialog").getByRole("button", { name: "Cancel" }));
  await tabTo(page, page.getByRole("button", { name: "Disable channel" }));
  await page.keyboard.press("Enter");
  await page.getByText("This channel is disabled").waitFor();
  expect(await fact(page, "Number").textContent()).toBe(number.displayPhoneNumber);
  await close();
});

test("an agent sees the channels, and neither acts nor what is for Meta; the server refuses them too", async () => {
  const { meta, world } = suite();
  const number = await meta.addNumber();
  const admin = await owner();
  await admin.go("/channels");
  await connectByHand(admin.page, "Looked at", number);
  const id = new URL(admin.page.url()).pathname.split("/").at(-1) ?? "";
  await admin.close();
  const { page, go, close } = await world.open(await world.addMember("agent"), {
    expects: refused("403 channels.disable"),
  });
  await go("/channels?dialog=connect");
  await row(page, "Looked at").getByRole("link").click();
  await heading(page, "Looked at").waitFor();
  await page.getByRole("heading", { name: "Details" }).waitFor();
  for (const name of ["Rename", "New credentials", "Disable", "Create a new verify token"]) {
    expect(await page.getByRole("button", { name }).count()).toBe(0);
  }
  expect(await page.getByRole("heading", { name: "History" }).count()).toBe(0);
  const status = await page.evaluate(
    async ([channelId, organization]) => {
      const answer = await fetch("/api/trpc/channels.disable", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Organization-Id": organization },
        body: JSON.stringify({ channelId }),
      });
      return answer.status;
    },
    [id, world.demo.organization_id] as const,
  );
  expect(status).toBe(403);
  await close();
});

test("an agent who was given it connects a number", async () => {
  const { meta, world } = suite();
  const number = await meta.addNumber();
  const { page, go, close } = await world.open(await world.addMember("agent", ["channels.manage"]));
  await go("/channels");
  expect(await connectByHand(page, "By an agent", number)).not.toBe("");
  await close();
});
