import { TRPCError } from "@trpc/server";
import { expect, test } from "vitest";
import { currentAccount } from "./signed-in";

const callerThatFails = (error: Error) => ({
  account: {
    me: async () => {
      throw error;
    },
  },
});

test("nobody is signed in where the procedure says so, and nowhere else", async () => {
  expect(await currentAccount(callerThatFails(new TRPCError({ code: "UNAUTHORIZED" })))).toBeNull();
  const failures = [
    new TRPCError({ code: "SERVICE_UNAVAILABLE" }),
    new TRPCError({ code: "INTERNAL_SERVER_ERROR" }),
    new TypeError("not a refusal"),
  ];
  for (const failure of failures)
    await expect(currentAccount(callerThatFails(failure))).rejects.toBe(failure);
});

test("whoever is signed in is told as they are", async () => {
  const me = { userId: "1", email: "ada@example.com", name: "Ada", hasTwoFactor: false, organizations: [] };
  expect(await currentAccount({ account: { me: async () => me } })).toEqual(me);
});
