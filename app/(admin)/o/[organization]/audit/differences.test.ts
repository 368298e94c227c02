import { describe, expect, test } from "vitest";
import { differencesOf } from "./differences";

const lines = (action: string, detail: Record<string, unknown>) =>
  differencesOf(action, detail).map(({ name, before, after }) =>
    before === null ? `${name}: ${after}` : `${name}: ${before} → ${after}`,
  );

describe("what an act’s detail says", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["organization.renamed", { from: "Shop", to: "Store" }, ["Name: Shop → Store"]],
    ["organization.retention_set", { from: 30, to: null }, ["Message retention (days): 30 → none"]],
    ["thing.changed", { from: 1, to: 2 }, ["Value: 1 → 2"]],
    [
      "key.set",
      { from: { name: "Shop", channelIds: null }, to: { name: "Store", channelIds: ["a", "b"] } },
      ["Name: Shop → Store", "Channels: all → a, b"],
    ],
    [
      "channel.set",
      { name: { from: "Old", to: "New" }, credentials: ["accessToken"] },
      ["Name: Old → New", "Credentials: accessToken"],
    ],
    [
      "member.rights_set",
      {
        roleBefore: "agent",
        roleAfter: "admin",
        permissionsBefore: [],
        permissionsAfter: [],
      },
      ["Role: agent → admin"],
    ],
    [
      "channel.connected",
      { displayPhoneNumber: "+1 555 0100", isDefault: true, verify_token: "" },
      ["Number: +1 555 0100", "Default: yes", "Verify token: none"],
    ],
    ["thing.done", { deep: { one: 1, two: [false] } }, ["Deep: one: 1; two: no"]],
    ["thing.done", { toString: "x" }, ["To string: x"]],
    ["thing.done", { before: 1, somethingBefore: 2 }, ["Before: 1", "Something before: 2"]],
    ["thing.done", {}, []],
  ])("of %s %j is said in lines", (action, detail, expected) => {
    expect(lines(action, detail)).toEqual(expected);
  });

  test("says times as people read them", () => {
    const [line = ""] = lines("key.created", { expiresAt: "2027-03-04T05:06:07.000Z" });
    expect(line).toMatch(/^Expires: \d March 2027 at \d\d:06$/);
  });
});
