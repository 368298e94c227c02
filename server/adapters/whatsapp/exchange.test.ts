import { afterAll, beforeAll, expect, test } from "vitest";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";
import { storedFileOf } from "@/server/domain/uploads/testing";
import { createWhatsAppClient } from "./client";
import { uploadMedia } from "./media-client";
import { answerJson } from "./testing";
import { withoutToken, graphCall } from "./exchange";

const TOKEN = "EAAG-a-malformed-token";
const client = createWhatsAppClient({ connectionsMax: 1 });

/** Responds to every request as Meta responds to a malformed token: with the token in the error text. */
let upstream: Loopback;

beforeAll(async () => {
  upstream = await serveOnLoopback((req, res) => {
    const message = `Malformed access token ${TOKEN}`;
    req.resume().on("end", () => answerJson(res, 401, { error: { code: 190, message } }));
  });
});
afterAll(async () => {
  await client.close();
  await upstream.close();
});

test.each<[string, () => Promise<unknown>]>([
  [
    "sending",
    () =>
      client.send({
        ...caller(),
        to: "4915112345678",
        message: { type: "text", body: "Hi" },
        quotedId: null,
        callbackData: "id",
      }),
  ],
  ["reading the number", () => client.readNumber(caller())],
  [
    "handing a file up",
    () => uploadMedia({ ...caller(), mimeType: "text/plain", file: storedFileOf(Buffer.from("Hi")) }),
  ],
  [
    "any other call",
    () => graphCall({ ...caller(), path: "1/templates", timeoutMs: 5_000, answerBytesMax: 10_000 }),
  ],
])("what is learnt by %s never holds the token that the upstream repeats", async (_, act) => {
  const learnt = JSON.stringify(await act());
  expect(learnt).toContain("Malformed access token [access token]");
  expect(learnt).not.toContain(TOKEN);
});

test("a token too short to be one changes no answer", () => {
  expect(withoutToken('{"error":{"code":190}}', "1")).toBe('{"error":{"code":190}}');
});

const caller = () => ({ baseUrl: upstream.url, phoneNumberId: "1", accessToken: TOKEN });
