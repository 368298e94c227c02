import { Webhook } from "standardwebhooks";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { WEBHOOK_EVENT_EXAMPLES } from "@/server/domain/webhooks/events/event-examples";
import { errorOf } from "./testing.js";
import { verifyWebhook, WebhookVerificationError } from "./verify-webhook.js";

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString("base64")}`;
const SECRET = secretOf(1);
const NOW = new Date("2026-01-31T12:00:00Z");
const EVENT = WEBHOOK_EVENT_EXAMPLES["message.delivered"];
const BODY = JSON.stringify({ ...EVENT, note: "Grüße 👋" });

/** Signs as another library does. */
function headersOf(body: string, { secret = SECRET, at = NOW, id = "0198f0a4" } = {}) {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(secret).sign(id, at, body),
  };
}

beforeEach(() => void vi.spyOn(Date, "now").mockReturnValue(NOW.getTime()));

describe("a genuine webhook", () => {
  test("gives its event, as text and as bytes", async () => {
    expect(await verifyWebhook(BODY, headersOf(BODY), SECRET)).toEqual(JSON.parse(BODY));
    expect(await verifyWebhook(Buffer.from(BODY), headersOf(BODY), SECRET)).toEqual(JSON.parse(BODY));
  });

  test("can have its headers in every form that servers have", async () => {
    const headers = headersOf(BODY);
    const inCapitals = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]);
    const asLists = Object.entries(headers).map(([name, value]) => [name, [value]]);
    for (const one of [new Headers(headers), Object.fromEntries(inCapitals), Object.fromEntries(asLists)])
      expect(await verifyWebhook(BODY, one, SECRET)).toMatchObject({ id: EVENT.id });
  });

  test("is signed by any of the secrets, and of the signatures, during a rotation", async () => {
    const former = headersOf(BODY, { secret: secretOf(2) })["webhook-signature"];
    const headers = headersOf(BODY);
    const both = { ...headers, "webhook-signature": `v1a,AAAA ${former} ${headers["webhook-signature"]}` };
    expect(await verifyWebhook(BODY, both, SECRET)).toMatchObject({ id: EVENT.id });
    expect(await verifyWebhook(BODY, headers, [secretOf(3), SECRET])).toMatchObject({ id: EVENT.id });
    expect(await verifyWebhook(BODY, headers, SECRET.replace("whsec_", ""))).toMatchObject({ id: EVENT.id });
  });

  test.each([-300, 300])("may be %i s off the clock", async (seconds) => {
    const at = new Date(NOW.getTime() + seconds * 1000);
    expect(await verifyWebhook(BODY, headersOf(BODY, { at }), SECRET)).toMatchObject({ id: EVENT.id });
  });

  test("can have a type that nobody knows yet", async () => {
    const body = JSON.stringify({ id: "1", type: "message.delayed", timestamp: "now", data: {} });
    expect(await verifyWebhook(body, headersOf(body), SECRET)).toMatchObject({ type: "message.delayed" });
  });
});

describe("refused is", () => {
  const genuine = headersOf(BODY);
  const at = (seconds: number) => headersOf(BODY, { at: new Date(NOW.getTime() + seconds * 1000) });

  test.each([
    ["another body", `${BODY} `, genuine, "signature"],
    ["another secret", BODY, headersOf(BODY, { secret: secretOf(2) }), "signature"],
    ["another id", BODY, { ...genuine, "webhook-id": "other" }, "signature"],
    ["another time", BODY, { ...genuine, "webhook-timestamp": at(1)["webhook-timestamp"] }, "signature"],
    ["no known version", BODY, { ...genuine, "webhook-signature": "v2,AAAA" }, "signature"],
    [
      "half a signature",
      BODY,
      { ...genuine, "webhook-signature": genuine["webhook-signature"].slice(0, 20) },
      "signature",
    ],
    ["a signature that isn't base64", BODY, { ...genuine, "webhook-signature": "v1,ü" }, "signature"],
    ["what is too old", BODY, at(-301), "timestamp"],
    ["what is ahead", BODY, at(301), "timestamp"],
    ["a time that is no number", BODY, { ...genuine, "webhook-timestamp": "1e9" }, "missing_header"],
    ["no signature", BODY, { ...genuine, "webhook-signature": undefined }, "missing_header"],
    ["no header at all", BODY, {}, "missing_header"],
    ["signed text", "Hello", headersOf("Hello"), "body"],
    ["a signed list", "[]", headersOf("[]"), "body"],
  ])("%s", async (_, body, headers, reason) => {
    const error = await errorOf(verifyWebhook(body, headers, SECRET));
    expect(error).toBeInstanceOf(WebhookVerificationError);
    expect(error).toMatchObject({ name: "WebhookVerificationError", reason });
  });
});

test("a mistake in the program isn't taken for a forged webhook, and shows no secret", async () => {
  const parsed = verifyWebhook(Object(JSON.parse(BODY)), headersOf(BODY), SECRET);
  expect(await errorOf(parsed)).toMatchObject({
    name: "TypeError",
    message: expect.stringContaining("unparsed"),
  });
  for (const secret of ["", "whsec_", "not base64 !", [], Object(undefined)]) {
    const error = await errorOf(verifyWebhook(BODY, headersOf(BODY), secret));
    expect(error).toMatchObject({ name: "TypeError", message: expect.not.stringContaining("not base64") });
  }
});
