import { expect, test } from "vitest";
import { customerName } from "./customer-name";

const customer = { name: null, number: null, userId: null, isErased: false };

test("a customer is called by the best name that is known", () => {
  expect(customerName({ ...customer, name: "Ada", number: "49151" })).toBe("Ada");
  expect(customerName({ ...customer, number: "49151" })).toBe("+49151");
  expect(customerName({ ...customer, userId: "DE.1" })).toBe("DE.1");
  expect(customerName(customer)).toBe("Customer without a name");
  expect(customerName({ ...customer, name: "Ada", isErased: true })).toBe("Erased contact");
});
