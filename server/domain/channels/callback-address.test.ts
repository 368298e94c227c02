import { expect, test } from "vitest";
import { unreachableForMeta } from "./callback-address";

test.each(["https://waypost.example.com", "https://8.8.8.8"])("nothing speaks against %s", (url) => {
  expect(unreachableForMeta(url)).toBeNull();
});

test.each([
  [null, /isn't set\. Use the public https URL/],
  ["http://127.0.0.1:3430", /this machine or its network\. Set WAYPOST_PUBLIC_URL/],
  ["https://localhost:3000", /this machine or its network\. Set WAYPOST_PUBLIC_URL/],
  ["https://[::1]:3000", /this machine or its network\. Set WAYPOST_PUBLIC_URL/],
  ["https://192.168.1.7", /this machine or its network\. Set WAYPOST_PUBLIC_URL/],
  ["http://waypost.example.com", /only calls https URLs\. Set WAYPOST_PUBLIC_URL/],
] as const)("of %s it is said why Meta can't reach it", (url, remark) => {
  expect(unreachableForMeta(url)).toMatch(remark);
});
