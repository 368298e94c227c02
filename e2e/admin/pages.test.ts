import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { faultsAtFirstSight } from "@/e2e/admin/support/forms";
import type { AdminPage } from "@/e2e/admin/support/open-page";
import { makeSamples, type Samples } from "@/e2e/admin/support/samples";
import { useSuite } from "@/e2e/admin/support/suite";
import { REPOSITORY } from "@/e2e/support/program";

/** The first-level heading, and a text from the page's data. Words in brackets are names of samples. */
type Shown = readonly [heading: string, data: string];

/** Pages for visitors who aren't signed in, with the rest of their URL. */
const SIGNED_OUT: Readonly<Record<string, Shown>> = {
  "/": ["Send WhatsApp messages to your customers with one HTTP request.", "/api/public/v1/ping"],
  "/sign-in": ["Sign in", "Email address"],
  "/setup": ["This link doesn’t work", "needs the complete link"],
  "/invitation#[invitationToken]": ["Join", "You were invited as an agent"],
  "/reset-password#[resetToken]": ["Set a new password", "New password"],
};

/** Paths below the organization’s own path. */
const SIGNED_IN: Readonly<Record<string, Shown>> = {
  "": ["Messages", "[clientMessageId]"],
  "/account": ["Account and security", "You sign in as [email]"],
  "/audit": ["Audit log", "created an API key"],
  "/channels": ["Channels", "Support"],
  "/channels/[channel]": ["Support", "[phoneNumberId]"],
  "/contacts": ["Contacts", "[contactName]"],
  "/contacts/[contact]": ["[contactName]", "Conversations"],
  "/conversations": ["Conversations", "[contactName]"],
  "/conversations/[conversation]": ["Conversations", "The window is open"],
  "/keys": ["API keys", "Test"],
  "/keys/[key]": ["Test", "created an API key"],
  "/members": ["Members", "[invited]"],
  "/messages": ["Messages", "[clientMessageId]"],
  "/messages/[message]": ["Messages", "WhatsApp error code"],
  "/phone": ["Customer’s phone", "Any number"],
  "/phone/[channel]/[number]": ["Phone of +[number]", "What goes wrong next"],
  "/requests": ["API log", "[refusedClientMessageId]"],
  "/requests/[request]": ["API log", "[request]"],
  "/settings": ["Settings", "[organization]"],
  "/templates": ["Templates", "[templateName]"],
  "/templates/[template]": ["Templates", "You can send this template."],
  "/usage": ["Usage", "outside_customer_window"],
  "/webhooks": ["Webhooks", "Warehouse"],
  "/webhooks/[webhook]": ["Warehouse", "message.received"],
  "/webhooks/[webhook]/deliveries/[delivery]": ["Warehouse", "[delivery]"],
  "/webhooks/inbox": ["Webhook inbox", "message.read"],
  "/webhooks/inbox/[received]": ["Webhook inbox", "Verify it in your program"],
};

/** Another test covers all pages of the documentation. */
const DOCUMENTATION = "/docs";
const ORGANIZATION = "/o/[organization]";

const suite = useSuite();
let samples: Samples;
beforeAll(async () => {
  samples = await makeSamples(suite());
});

const filledIn = (text: string) => text.replaceAll(/\[(\w+)\]/g, (_, name: string) => samples[name] ?? name);

test("every page of the app stands in the tables", () => {
  const pages = readdirSync(join(REPOSITORY, "app"), { recursive: true, encoding: "utf8" })
    .filter((file) => basename(file) === "page.tsx")
    .map((file) => `/${dirname(file)}`.replaceAll(/\/(\.|\([^)]*\))(?=\/|$)/g, "") || "/")
    .filter((path) => path !== DOCUMENTATION && !path.startsWith(`${DOCUMENTATION}/`));
  const listed = [
    ...Object.keys(SIGNED_OUT).map((path) => path.replace(/#.*/, "")),
    ...Object.keys(SIGNED_IN).map((path) => ORGANIZATION + path),
  ];
  expect(listed.sort()).toEqual(pages.sort());
});

/** Opens the path, and waits for the page's content. @throws Error on a console error. @returns other faults. */
async function faultsAt({ page, go, close }: AdminPage, path: string, [heading, data]: Shown) {
  await go(filledIn(path));
  await page.getByRole("heading", { level: 1, name: filledIn(heading) }).waitFor();
  await page.getByText(filledIn(data)).filter({ visible: true }).first().waitFor();
  const faults = await faultsAtFirstSight(page);
  await close();
  return faults;
}

describe("a page shows its heading and data without errors, passes axe, and fits a narrow window", () => {
  test.each(Object.entries(SIGNED_OUT))("signed out: %s", async (path, shown) => {
    expect(await faultsAt(await suite().world.visit(), path, shown)).toEqual([]);
  });

  test.each(Object.entries(SIGNED_IN))(`signed in: ${ORGANIZATION}%s`, async (path, shown) => {
    const { world } = suite();
    expect(await faultsAt(await world.open(world.owner), path, shown)).toEqual([]);
  });
});
