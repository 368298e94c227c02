import { beforeEach, describe, expect, test } from "vitest";
import type { Simulator } from "./start";
import { type Answer, call, numberFor, putNumbers, startForTest, temporaryDirectory } from "./testing";

const WABA_ID = "102290129340398";
const CALLBACK = "http://127.0.0.1:9/";
const INVALID = { status: 401, body: { error: expect.objectContaining({ code: 190 }) } };
const UNKNOWN = { status: 400, body: { error: expect.objectContaining({ code: 100, error_subcode: 33 }) } };

let simulator: Simulator;
beforeEach(async () => {
  simulator = await startForTest(await temporaryDirectory());
  await putNumbers(simulator, [
    numberFor(CALLBACK),
    numberFor(CALLBACK, {
      phone_number_id: "2",
      waba_id: "20",
      access_token: "token-of-another",
      app_secret: "another-secret",
      permissions: ["whatsapp_business_management"],
      token_expires_at: 4_000_000_000,
      app_subscribed: false,
    }),
  ]);
});

const get = (path: string, token = "token-of-the-test", method = "GET"): Promise<Answer> =>
  call(simulator, method, `/v24.0/${path}`, undefined, { authorization: `Bearer ${token}` });
const debug = (input: string, token?: string) => get(`debug_token?input_token=${input}`, token);

describe("a token", () => {
  test("tells its app, permissions and expiry", async () => {
    expect(await debug("token-of-the-test")).toEqual({
      status: 200,
      body: {
        data: expect.objectContaining({
          app_id: expect.stringMatching(/^[0-9]{15}$/),
          type: "SYSTEM_USER",
          is_valid: true,
          expires_at: 0,
          scopes: ["whatsapp_business_management", "whatsapp_business_messaging"],
        }),
      },
    });
    expect(await debug("token-of-another", "token-of-another")).toMatchObject({
      body: { data: { expires_at: 4_000_000_000, scopes: ["whatsapp_business_management"] } },
    });
  });

  test("that isn't known is refused as the caller, and described as the input", async () => {
    expect(await debug("token-of-the-test", "wrong")).toEqual(INVALID);
    expect(await debug("wrong")).toMatchObject({
      status: 200,
      body: { data: { is_valid: false, error: { code: 190 } } },
    });
    expect(await get("debug_token")).toMatchObject({ status: 400, body: { error: { code: 131008 } } });
  });

  test("of another app isn't described", async () => {
    expect(await debug("token-of-another")).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  });

  test("that has expired is refused everywhere", async () => {
    await putNumbers(simulator, [numberFor(CALLBACK, { token_expires_at: 1 })]);
    expect(await debug("token-of-the-test")).toEqual(INVALID);
    expect(await get(`${WABA_ID}/phone_numbers`)).toEqual(INVALID);
    expect(await get("106540352242922")).toEqual(INVALID);
  });
});

test("an account lists its numbers", async () => {
  expect(await get(`${WABA_ID}/phone_numbers?fields=id,display_phone_number`)).toEqual({
    status: 200,
    body: { data: [{ id: "106540352242922", display_phone_number: "+1 555-078-3881" }] },
  });
  expect(await get(`${WABA_ID}/phone_numbers`, "wrong")).toEqual(INVALID);
  expect(await get("20/phone_numbers")).toEqual(UNKNOWN);
  expect(await get("20/phone_numbers?fields=nonsense", "token-of-another")).toMatchObject({ status: 400 });
});

test("an app is subscribed to an account, and unsubscribed from it", async () => {
  const subscribed = async () => (await get("20/subscribed_apps", "token-of-another")).body;
  expect(await subscribed()).toEqual({ data: [] });
  expect(await get("20/subscribed_apps", "token-of-another", "POST")).toEqual({
    status: 200,
    body: { success: true },
  });
  const { body } = await debug("token-of-another", "token-of-another");
  const { data } = body as { data: { app_id: string } };
  expect(await subscribed()).toMatchObject({ data: [{ whatsapp_business_api_data: { id: data.app_id } }] });
  await get("20/subscribed_apps", "token-of-another", "DELETE");
  expect(await subscribed()).toEqual({ data: [] });
  expect(await get("20/subscribed_apps")).toEqual(UNKNOWN);
  expect(await get("20/subscribed_apps", "wrong", "POST")).toEqual(INVALID);
});
