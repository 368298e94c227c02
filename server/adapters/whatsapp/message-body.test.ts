import { expect, test } from "vitest";
import { messageBody } from "./message-body";

// e2e/published-client.test.ts compares the bodies of all types with those of a published client.
test.each(["US.13491208655302741918", "US.ENT.11815799212886844830"])(
  "an id of a person is in the field for it: %s",
  (userId) => {
    const message = { type: "text", body: "Hi" } as const;
    const body = messageBody({ to: userId, message, quotedId: null, callbackData: "our-id" });
    expect(body).toMatchObject({ recipient: userId });
    expect(body).not.toHaveProperty("to");
  },
);
