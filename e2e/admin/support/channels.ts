import type { Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { type Api, openApi } from "@/e2e/support/api";
import { type ApiKey, createKey } from "@/e2e/support/cli";
import { type AdminWorld, openAdminWorld } from "./admin-world";
import type { AdminPage } from "./open-page";
import { refused } from "./guard";
import { type Meta, metaAt, type MetaNumber } from "@/e2e/support/meta";

/** Refusals by the server or Meta that tests provoke as the owner. */
const REFUSED = { expects: refused("400 channels.connect", "400 channels.set", "404 /o/*/channels/*") };

/** Shared by the tests of a file. */
export interface ChannelSuite {
  readonly world: AdminWorld;
  /** The simulated Meta that the server calls. */
  readonly meta: Meta;
  readonly api: Api;
  readonly key: ApiKey;
  /** Refusals that a test provokes don't count as faults. */
  openAsOwner(): Promise<AdminPage>;
}

/** An organization and a browser for one file, and a simulator in place of Meta. */
export function useChannelSuite(): () => ChannelSuite {
  let suite: ChannelSuite | undefined;
  beforeAll(async () => {
    const world = await openAdminWorld();
    const meta = metaAt(world.server.metaUrl);
    const api = await openApi(world.server.baseUrl);
    const key = await createKey(world.server, world.demo.organization_id);
    const openAsOwner = () => world.open(world.owner, REFUSED);
    suite = { world, meta, api, key, openAsOwner };
  });
  afterAll(() => suite?.world.close());
  return () => {
    if (suite === undefined) throw new Error("The suite is used before its tests");
    return suite;
  };
}

export const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });
export const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
export const connectButton = (page: Page) => page.getByRole("button", { name: "Connect", exact: true });

/** One of the checks with Meta, by its title. */
export const checkOf = (page: Page, title: string) =>
  page.getByRole("list", { name: "Checks with Meta" }).getByRole("listitem").filter({ hasText: title });

/** Fills in the form that connects a number. */
export async function fill(page: Page, name: string, number: MetaNumber): Promise<void> {
  await field(page, "Name").fill(name);
  await field(page, "Phone number ID").fill(number.phoneNumberId);
  await field(page, "WhatsApp Business Account ID").fill(number.wabaId);
  await field(page, "Access token").fill(number.accessToken);
  await field(page, "App secret").fill(number.appSecret);
}

/** Connects a number via the list, as a person does. @returns its verify token, which the page shows. */
export async function connectByHand(page: Page, name: string, number: MetaNumber): Promise<string> {
  await page.getByRole("button", { name: "Connect a number" }).first().click();
  await fill(page, name, number);
  await connectButton(page).click();
  await heading(page, name).waitFor();
  return field(page, "Verify token").inputValue();
}
