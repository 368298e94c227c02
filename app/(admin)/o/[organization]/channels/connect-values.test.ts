import { expect, test } from "vitest";
import { faultsOf, inputOf, NOTHING } from "./connect-values";

const VALUES = {
  ...NOTHING,
  name: "Shop",
  phoneNumberId: " 123 ",
  wabaId: "456\n",
  accessToken: " token ",
  appSecret: "secret ",
  verifyToken: " verify ",
};

test("what stands around ids and tokens isn't sent", () => {
  expect(inputOf(VALUES)).toEqual({
    name: "Shop",
    phoneNumberId: "123",
    wabaId: "456",
    accessToken: "token",
    appSecret: "secret",
    verifyToken: "verify",
    isDefault: false,
    alreadyInUse: false,
  });
  expect(inputOf({ ...VALUES, verifyToken: "  " })).not.toHaveProperty("verifyToken");
  expect(faultsOf(VALUES)).toEqual({});
});

test("all fields at fault are told at once", () => {
  expect(Object.keys(faultsOf(NOTHING))).toEqual([
    "name",
    "phoneNumberId",
    "wabaId",
    "accessToken",
    "appSecret",
  ]);
  expect(
    Object.keys(
      faultsOf({ ...VALUES, phoneNumberId: "x", wabaId: "1 2", appSecret: "ä", verifyToken: "a b" }),
    ),
  ).toEqual(["phoneNumberId", "wabaId", "appSecret", "verifyToken"]);
});
