import { expect, test } from "vitest";
import { connectButton, connectByHand, field, heading, useChannelSuite } from "@/e2e/admin/support/channels";
import { fact, row } from "@/e2e/admin/support/parts";
import { faultsInEachForm } from "@/e2e/admin/support/forms";
import { failNumber } from "@/e2e/support/simulator";
import { addHandedOver } from "@/server/domain/channels/testing";
import { createOrganization } from "@/server/domain/organizations/create";
import { connectTestChannel } from "@/server/domain/organizations/testing";

const suite = useChannelSuite();
const owner = () => suite().openAsOwner();

/** Sends a text to the demo's customer with an open window. */
const sendText = async (channelId: string | undefined) => {
  const { status, code } = await suite().api.call({
    path: "/messages",
    key: suite().key.secret,
    json: {
      client_message_id: crypto.randomUUID(),
      type: "text",
      to: { kind: "whatsapp", handle: suite().world.demo.contacts.open_window.handle },
      text: { body: "Hello" },
      ...(channelId === undefined ? {} : { channel_id: channelId }),
    },
  });
  return code ?? status;
};

test("a channel is renamed, and given new credentials that Meta takes; what it refuses isn’t saved", async () => {
  const { meta } = suite();
  const number = await meta.addNumber();
  const { page, go, close } = await owner();
  await go("/channels");
  const former = await connectByHand(page, "Before", number);
  await page.getByRole("button", { name: "Rename" }).click();
  await field(page, "Name").fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Must be 1 to 100 characters/).waitFor();
  await field(page, "Name").fill("After");
  await page.getByRole("button", { name: "Save" }).click();
  await heading(page, "After").waitFor();
  await page.getByRole("definition").filter({ hasText: "Before → After" }).waitFor();

  await page.getByRole("button", { name: "New credentials" }).click();
  expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await field(page, "Access token").fill("EAAanother");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText(/^Wasn't saved: it can't read the number/).waitFor();
  await field(page, "Access token").fill(number.accessToken);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The credentials were saved.").waitFor();

  await page.reload();
  await page.getByRole("button", { name: "Create a new verify token" }).click();
  await field(page, "Verify token").waitFor();
  expect(await field(page, "Verify token").inputValue()).not.toBe(former);
  await close();
});

test("on a disabled channel nothing can be sent, until it is enabled again", async () => {
  const { world } = suite();
  const { default: channelId } = world.demo.channels;
  const { page, go, close } = await owner();
  expect(await sendText(channelId)).toBe(201);
  await go(`/channels/${channelId}`);
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByText("This is the default channel").waitFor();
  await page.getByRole("button", { name: "Disable channel" }).click();
  await page.getByText("This channel is disabled").waitFor();
  expect(await sendText(channelId)).toBe("channel_forbidden");
  await page.getByRole("button", { name: "Enable channel" }).click();
  await page.getByText("This channel is disabled").waitFor({ state: "detached" });
  expect(await sendText(channelId)).toBe(201);
  for (const words of ["disabled a channel", "enabled a channel"]) {
    await page.getByText(words, { exact: false }).first().waitFor();
  }
  await close();
});

test("another channel is made the default, and the list says which it is", async () => {
  const { world } = suite();
  const { default: first, second } = world.demo.channels;
  const { page, go, close } = await owner();
  const defaults = async () => {
    const rows = await world.services.sql<{ id: string }[]>`
      select id from channels where organization_id = ${world.demo.organization_id} and is_default`;
    return rows.map(({ id }) => id);
  };
  expect(await defaults()).toEqual([first]);
  await go(`/channels/${second}`);
  await page.getByRole("button", { name: "Make default" }).click();
  await expect.poll(() => fact(page, "Default").textContent()).toMatch(/^yes/);
  expect(await defaults()).toEqual([second]);
  await go(`/channels/${first}`);
  await page.getByRole("button", { name: "Make default" }).click();
  await expect.poll(() => fact(page, "Default").textContent()).toMatch(/^yes/);
  await go("/channels");
  await page.getByRole("table").waitFor();
  expect(await page.getByText("default", { exact: true }).count()).toBe(1);
  await close();
});

test("a channel that WhatsApp stops says so on the open page, and goes on after Resume", async () => {
  const { world } = suite();
  const { default: channelId } = world.demo.channels;
  const number = world.demo.phone_number_ids.default;
  const { page, go, close } = await owner();
  await go(`/channels/${channelId}`);
  await page.getByRole("heading", { name: "Details" }).waitFor();
  await failNumber(world.server.simulatorUrl, number, "account_locked");
  expect(await sendText(channelId)).toBe(201);
  await page
    .getByText("This channel is paused: WhatsApp says that the business account is restricted or disabled")
    .waitFor();
  await page.getByText("An admin has to read WhatsApp's notice in WhatsApp Manager").waitFor();
  await page.getByText(/WhatsApp says: \(#131031\)/).waitFor();
  await go("/channels");
  await row(page, "WhatsApp says that the business account is restricted or disabled")
    .getByText("paused", { exact: true })
    .waitFor();
  await failNumber(world.server.simulatorUrl, number, null);
  await go(`/channels/${channelId}`);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByText("This channel is paused").waitFor({ state: "detached" });
  await page.getByText("resumed a paused channel").waitFor();
  await expect
    .poll(async () => {
      const [row] = await world.services.sql<{ count: number }[]>`
        select count(*)::int as count from messages where channel_id = ${channelId} and state = 'queued'`;
      return row?.count;
    })
    .toBe(0);
  await close();
});

test("messages that were sent and have no status are an alarm, in the list and on the page", async () => {
  const { world } = suite();
  const { ctx } = await createOrganization({
    services: world.services,
    job: "test",
    input: { name: "Other" },
  });
  await connectTestChannel(ctx);
  const channelId = await connectTestChannel(world.ctx);
  await addHandedOver(world.ctx, channelId, { minutesAgo: 12, hasStatus: false });
  const { page, go, close } = await owner();
  await go("/channels");
  await page.getByText("1 sent, without a status update for ten minutes or more").waitFor();
  expect(await page.getByText("no status updates", { exact: true }).count()).toBe(1);
  await go(`/channels/${channelId}`);
  await page.getByText("Sent messages get no status updates").waitFor();
  await close();
});

test("another organization’s channel is answered as one that never was", async () => {
  const { world } = suite();
  const { ctx } = await createOrganization({
    services: world.services,
    job: "test",
    input: { name: "Other" },
  });
  const { page, go, close } = await owner();
  for (const id of [await connectTestChannel(ctx), "01900000-0000-7000-8000-000000000000", "no-id"]) {
    await go(`/channels/${id}`);
    await page.getByRole("heading", { name: "This channel doesn’t exist" }).waitFor();
    expect(await page.content()).not.toContain("Test channel");
  }
  await close();
});

test("axe finds nothing wrong with list, dialogs and page in light, dark and narrow, and long names keep within it", async () => {
  const { meta, world } = suite();
  const number = await meta.addNumber();
  const { page, go, close } = await owner();
  const check = async (what: string) => expect([what, ...(await faultsInEachForm(page))]).toEqual([what]);
  await go("/channels");
  const verifyToken = await connectByHand(page, "W".repeat(100), number);
  expect(verifyToken).not.toBe("");
  await check("a new channel");
  for (const button of ["Rename", "New credentials", "Disable"]) {
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("dialog").waitFor();
    await check(button);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await world.services.sql`
    update channels set paused_at = now(), pause_reason = 'credentials_invalid', next_probe_at = now() + interval '1 hour'
    where id = ${id}`;
  await page.getByText("This channel is paused").waitFor();
  await check("a paused channel");
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Disable channel" }).click();
  await page.getByText("This channel is disabled").waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await check("a disabled channel");
  await go("/channels");
  await page.getByRole("table").waitFor();
  await check("list");
  await page.getByRole("button", { name: "Connect a number" }).click();
  await connectButton(page).click();
  await page.getByText("This field is required.").first().waitFor();
  await check("connect");
  await close();
});
