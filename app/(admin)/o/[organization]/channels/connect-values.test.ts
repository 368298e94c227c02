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

/** Values of the right shapes, as Meta's documentation shows them. */
const SHAPED = {
  ...NOTHING,
  name: "Shop",
  phoneNumberId: "106540352242922",
  wabaId: "102290129340398",
  accessToken:
    "EAAN6tcBzAUBOwtDtTfmZCJ9n3FHpSDcDTH86ekf89XnnMZAtaitMUysPDE7LES3CXkA4MmbKCghdQeU1boHr0QZA05SShiILcoUy7ZAb2GE7hrUEpYHKLDuP2sYZCURkZCHGEvEGjScGLHzC4",
  appSecret: "614fc2afde15eee07a26b2fe3eaee9b9",
  verifyToken: "",
};

test("values of the right shapes have no fault", () => {
  expect(faultsOf(SHAPED)).toEqual({});
  expect(faultsOf({ ...SHAPED, verifyToken: "0123456789abcdef0123456789abcdef" })).toEqual({});
});

test.each([
  ["phoneNumberId", "+49 151 12345678", "This is a phone number."],
  ["phoneNumberId", "(555) 078-3881", "This is a phone number."],
  ["phoneNumberId", "4915112345678", "This is a phone number."],
  ["phoneNumberId", SHAPED.accessToken, "This is an access token."],
  ["phoneNumberId", "12a", "Must contain only digits."],
  ["wabaId", "+4915112345678", "This is a phone number."],
  ["wabaId", SHAPED.appSecret, "This is an app secret."],
  ["wabaId", SHAPED.phoneNumberId, "This is the phone number ID."],
  ["accessToken", SHAPED.wabaId, "This is an ID."],
  ["accessToken", SHAPED.appSecret, "This is an app secret."],
  ["accessToken", `${SHAPED.wabaId}|abcdef`, "This is an app’s own token"],
  ["accessToken", `Bearer ${SHAPED.accessToken}`, "Enter the token without “Bearer”."],
  ["appSecret", SHAPED.accessToken, "This is an access token."],
  ["appSecret", SHAPED.wabaId, "This is an ID."],
  ["verifyToken", SHAPED.appSecret, "Must be a password of its own."],
  ["verifyToken", SHAPED.accessToken, "Must be a password of its own."],
] as const)("in the field %s, %s is named as the other term that it is", (field, value, words) => {
  const faults = faultsOf({ ...SHAPED, [field]: value });
  expect(faults).toEqual({ [field]: expect.stringContaining(words) });
});

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
