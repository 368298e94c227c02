import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openApi, type Api } from "@/e2e/support/api";
import { createKey, demo, type Demo } from "@/e2e/support/cli";
import { newTwoFormNumbers } from "@/e2e/support/numbers";
import { customerWrites } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { attachWaypost, startWaypost, type Waypost } from "@/e2e/support/waypost";

const NEW_NUMBERS = 20;
/** That makes 20 for a number. */
const INBOUND_OF_FORM = 10;

/** Two processes that process callbacks: the owner of the data directory, and one attached to it. */
let owner: Waypost;
let attached: Waypost;
let api: Api;
let organization: Demo;

beforeAll(async () => {
  owner = await startWaypost();
  attached = await attachWaypost(owner);
  api = await openApi(owner.baseUrl);
  organization = await demo(owner);
});

afterAll(async () => {
  await attached?.stop();
  await owner?.stop();
});

it("the two written forms of a new number become one contact and one conversation when both write in at the same time, on two processes", async () => {
  const limits = { sendLimit: 1_000_000, readLimit: 1_000_000 };
  const { secret: key } = await createKey(owner, organization.organization_id, limits);
  const phoneNumberId = organization.phone_number_ids.default;
  const numbers = newTwoFormNumbers(NEW_NUMBERS);
  // All of one form, then all of the other, so that the two processes handle the forms of a number concurrently.
  const senders = [...numbers.map(({ long }) => long), ...numbers.map(({ short }) => short)];
  const inbound = Array.from({ length: INBOUND_OF_FORM }, () => senders).flat();
  await Promise.all(
    inbound.map((from) => customerWrites(owner.simulatorUrl, { phoneNumberId, from, body: "Hi" })),
  );
  for (const { long, short } of numbers) {
    const replies = [await untilAnswered(key, long), await untilAnswered(key, short)];
    expect(new Set(replies.map(({ contact_id: id }) => id)).size).toBe(1);
    expect(new Set(replies.map(({ thread_id: id }) => id)).size).toBe(1);
  }
});

/** Sends to a number as soon as its message was processed, and returns the API's response. */
function untilAnswered(key: string, handle: string): Promise<{ contact_id: string; thread_id: string }> {
  const to = { kind: "whatsapp", handle };
  const json = { client_message_id: randomUUID(), type: "text", to, text: { body: "Hello" } };
  const reply = async () => {
    const { status, code, text } = await api.call({ path: "/messages", key, json });
    if (status === 201) return JSON.parse(text);
    if (code !== "outside_customer_window") throw new Error(`${handle} was answered ${status} ${text}`);
    return null;
  };
  return until(`${handle} can be written to`, reply);
}
