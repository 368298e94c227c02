import { expect, test } from "vitest";
import { newWamid, readWamid } from "./wamid";

test.each(["4915112345678", "US.13491208655302741918", `US.${"7".repeat(128)}`])(
  "an id of %s tells its direction, its customer and its kind",
  (customer) => {
    for (const direction of ["inbound", "outbound"] as const) {
      for (const kind of ["message", "reaction"] as const) {
        const wamid = newWamid(direction, customer, kind);
        expect(wamid).toMatch(/^wamid\.[A-Za-z0-9+/=]+$/);
        expect(readWamid(wamid)).toEqual({ direction, customer, kind });
      }
    }
  },
);

test.each([
  "",
  "wamid.",
  "wamid.HBgL",
  "wamid.HBgLMTY0NjcwNDM1OTUVAgASGBQzQUZCMTY0MDc2MUYwNzBDNTY5MAA=",
  newWamid("outbound", "4915112345678").slice(0, -12),
])("the foreign id %j tells nothing", (wamid) => {
  expect(readWamid(wamid)).toBeNull();
});

test("ids differ", () => {
  const ids = Array.from({ length: 100 }, () => newWamid("outbound", "4915112345678"));
  expect(new Set(ids).size).toBe(100);
});
