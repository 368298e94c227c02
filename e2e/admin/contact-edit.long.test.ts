import { afterAll, beforeAll, expect, test } from "vitest";
import { type Conversation } from "@/server/domain/messages/testing";
import { axeViolations } from "./support/axe";
import { type AdminWorld, openAdminWorld } from "./support/admin-world";
import { createCustomers } from "./support/conversations";
import { SIZES } from "./support/forms";
import { refused } from "./support/guard";
import { enter, focused } from "./support/keyboard";

let world: AdminWorld;
let customer: (name: string) => Promise<Conversation>;

beforeAll(async () => {
  world = await openAdminWorld();
  ({ customer } = await createCustomers(world));
});
afterAll(() => world.close());

async function stored(contactId: string) {
  const [contact] = await world.services.sql<{ name: string | null; isOptedOut: boolean }[]>`
    select name, marketing_opted_out_at is not null as "isOptedOut" from contacts
    where id = ${contactId} and organization_id = ${world.ctx.actor.organizationId}`;
  return contact;
}

/** Returns the audit entries about a contact, with the members' email addresses. */
async function audited(contactId: string) {
  const acts = await world.services.sql<{ detail: object; email: string }[]>`
    select a.detail, u.email from audit_log a
    join members m on m.id::text = a.actor_id join users u on u.id = m.user_id
    where a.subject_id = ${contactId} and a.organization_id = ${world.ctx.actor.organizationId}
      and a.action = 'contact.set' order by a.created_at`;
  return [...acts];
}

test("an agent changes the name and the marketing preference by keyboard alone, and cancels without a change", async () => {
  const agent = await world.addMember("agent");
  const { contactId } = await customer("Ana Garcia");
  const { page, go, close } = await world.open(agent, { expects: refused("400 contacts.update") });
  await go(`/contacts/${contactId}`);
  const editName = page.getByRole("button", { name: "Edit name" });
  const name = page.getByRole("textbox", { name: "Name" });
  await enter(page, editName);
  await focused(name);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Somebody else");
  await page.keyboard.press("Escape");
  await focused(editName);
  await enter(page, editName);
  await focused(name);
  expect(await name.inputValue()).toBe("Ana Garcia");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("x".repeat(101));
  await page.keyboard.press("Enter");
  await page.getByText("Must be 1 to 100 characters.").waitFor();
  await focused(name);
  await page.keyboard.press("Control+A");
  await page.keyboard.type("Ana García");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Ana García" }).waitFor();
  await focused(editName);
  const editMarketing = page.getByRole("button", { name: "Edit marketing preference" });
  const choice = page.getByRole("combobox", { name: "Marketing preference" });
  await enter(page, editMarketing);
  await focused(choice);
  expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await page.keyboard.press("ArrowDown");
  await enter(page, page.getByRole("button", { name: "Save" }));
  await page.getByText("Opted out just now").waitFor();
  await focused(editMarketing);
  expect(await stored(contactId)).toEqual({ name: "Ana García", isOptedOut: true });
  const { email } = agent;
  expect(await audited(contactId)).toEqual([
    { detail: { changed: ["name"] }, email },
    { detail: { changed: ["marketing_opt_out"], marketing_opt_out: true }, email },
  ]);
  await close();
});

test("an empty name removes it, an opt-out is taken back, and Cancel changes nothing", async () => {
  const { contactId, handle } = await customer("Wrong Name");
  const { page, go, close } = await world.open(world.owner);
  await go(`/contacts/${contactId}`);
  await page.getByRole("button", { name: "Edit name" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill(" ");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: `+${handle}` }).waitFor();
  await page.getByText("No name").waitFor();
  const set = async (choice: string, button: string) => {
    await page.getByRole("button", { name: "Edit marketing preference" }).click();
    await page.getByRole("combobox", { name: "Marketing preference" }).selectOption(choice);
    await page.getByRole("button", { name: button }).click();
  };
  await set("Opted out", "Cancel");
  await page.getByText("Not opted out").waitFor();
  expect(await stored(contactId)).toEqual({ name: null, isOptedOut: false });
  await set("Opted out", "Save");
  await page.getByText("Opted out just now").waitFor();
  await set("Not opted out", "Save");
  await page.getByText("Not opted out").waitFor();
  expect(await stored(contactId)).toEqual({ name: null, isOptedOut: false });
  await close();
});

test("a refusal that is about no field is shown in the form, which keeps what was typed", async () => {
  const { contactId } = await customer("Gone Soon");
  const { page, go, close } = await world.open(world.owner, { expects: refused("404 contacts.update") });
  await go(`/contacts/${contactId}`);
  await page.getByRole("button", { name: "Edit name" }).click();
  const form = page.getByRole("form", { name: "Name" });
  await form.getByRole("textbox").fill("Still here");
  // The page doesn't learn of the erasure in the meantime.
  await page.route(/contacts\.inspect/, () => undefined);
  await world.services.sql`
    update contacts set erased_at = now()
    where id = ${contactId} and organization_id = ${world.ctx.actor.organizationId}`;
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByRole("alert").waitFor();
  expect(await form.getByRole("textbox").inputValue()).toBe("Still here");
  await world.services.sql`
    update contacts set erased_at = null
    where id = ${contactId} and organization_id = ${world.ctx.actor.organizationId}`;
  await close();
});

test("a member without the permission sees both and no way to change them", async () => {
  const { contactId } = await customer("Read Only");
  const { page, go, close } = await world.open(world.owner);
  // Every role has the permission, so it is removed from the delivered page.
  await page.route(
    (url) => url.pathname.endsWith(`/contacts/${contactId}`),
    async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(String.raw`\"contacts.write\",`, "");
      await route.fulfill({ response, body });
    },
  );
  await go(`/contacts/${contactId}`);
  await page.getByText("Not opted out").waitFor();
  await page.getByRole("button", { name: "Erase" }).waitFor();
  expect(await page.getByRole("button", { name: /^Edit/ }).count()).toBe(0);
  await close();
});

test("the forms pass axe in light and dark, and fit into 390 pixels", async () => {
  const { contactId } = await customer("A rather long name of a customer ".repeat(3).trim());
  const { page, go, close } = await world.open(world.owner);
  await go(`/contacts/${contactId}`);
  await page.getByRole("button", { name: "Edit name" }).click();
  await page.getByRole("button", { name: "Edit marketing preference" }).click();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await axeViolations(page), colorScheme).toEqual([]);
  }
  await page.setViewportSize(SIZES.narrow);
  const width = () => page.evaluate(() => document.documentElement.scrollWidth);
  await expect.poll(width).toBe(SIZES.narrow.width);
  await close();
});
