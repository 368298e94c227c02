import type { Page } from "playwright";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { until } from "@/e2e/support/until";
import { type ReceivedCall, startReceiver } from "@/server/domain/webhooks/testing";
import type { View } from "./open-page";
import { type Suite, useSuite } from "./suite";

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Shared by the tests of a file about webhooks. */
export interface WebhookSuite extends Suite {
  /** A receiver that the server may send webhooks to. Each test starts with an empty one, and without endpoints. */
  readonly receiver: Receiver;
}

/** An organization, a browser and a receiver for one file. @param view refusals that the file provokes as the owner. */
export function useWebhookSuite(view: View = {}): () => WebhookSuite {
  const suite = useSuite(view);
  const receivers: Receiver[] = [];
  beforeAll(async () => {
    receivers.push(await startReceiver(await suite().world.server.receiverPort()));
  });
  beforeEach(async () => {
    const { admin, world } = suite();
    const { services, demo } = world;
    // An endpoint's page would query something that no longer exists.
    await admin.page.goto("about:blank");
    await services.sql`
      update webhook_endpoints set deleted_at = now() where organization_id = ${demo.organization_id}`;
    for (const receiver of receivers) {
      receiver.answersStatus(204);
      receiver.calls.length = 0;
    }
  });
  afterAll(async () => {
    for (const receiver of receivers) await receiver.close();
  });
  return () => {
    const [receiver] = receivers;
    if (receiver === undefined) throw new Error("The suite is used before its tests");
    return { ...suite(), receiver };
  };
}

/** The receiver's calls for one event type, in order. */
export const callsOf = ({ calls }: Receiver, type: string): readonly ReceivedCall[] =>
  calls.filter(({ body }) => JSON.parse(body).type === type);

/** Waits for that many of them. */
export const untilCalled = (receiver: Receiver, type: string, times: number) =>
  until(`${type} arrived ${times} times`, () => callsOf(receiver, type).length >= times);

/** Returns a call's body. @throws Error unless the secret signed it. */
export function verify(secret: string, { body, headers }: ReceivedCall): unknown {
  const named = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  return new Webhook(secret).verify(body, Object.fromEntries(named));
}

/** Fills in the form of a new endpoint, submits it, and reads its secret while it is shown. */
export async function addByHand(
  page: Page,
  { url, description }: { url: string; description: string },
): Promise<string> {
  await page.getByRole("button", { name: "Add an endpoint" }).first().click();
  await page.getByRole("textbox", { name: "URL" }).fill(url);
  await page.getByRole("textbox", { name: "Description" }).fill(description);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  return takeSecret(page);
}

/** Copies the shown secret, and closes its dialog. */
export async function takeSecret(page: Page): Promise<string> {
  const secret = await page.getByRole("textbox", { name: "Secret" }).inputValue();
  await page.getByRole("button", { name: "Copy: Secret" }).click();
  await page.getByRole("button", { name: "Copied: Secret" }).waitFor();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  return secret;
}

/** The table of an endpoint's deliveries. */
export const deliveries = (page: Page) => page.getByRole("table", { name: "Deliveries, newest first" });

/** The rows of deliveries of one type, in one state. */
export const delivery = (page: Page, type: string, state: string) =>
  deliveries(page)
    .getByRole("row")
    .filter({ hasText: type })
    .filter({ has: page.getByText(state, { exact: true }) });
