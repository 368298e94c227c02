import { expect, test } from "vitest";
import { codeOf } from "../testing";
import { precheckSend } from "./precheck";

/** Returns the code of the refusal; null if there is none. */
const refusalOf = (to: unknown) => codeOf((async () => precheckSend({ client_message_id: "a", to }))());

test.each([
  [{ kind: "whatsapp", handle: "491" }, "invalid_whatsapp_number"],
  [{ handle: "491" }, "invalid_whatsapp_number"],
  [{ kind: "whatsapp", handle: "4915112345678" }, null],
  [{ kind: "whatsapp_user", handle: "491" }, null],
  [{ kind: "whatsapp_user", handle: "491", user_id: "US.1" }, null],
])("the number of %j: %s", async (to, code) => {
  expect(await refusalOf(to)).toBe(code);
});
