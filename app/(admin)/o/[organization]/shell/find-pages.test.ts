import { expect, test } from "vitest";
import type { MayOpen } from "../shared/viewer";
import { findPages } from "./find-pages";

const everything = () => true;
const labels = (typed: string, mayOpen: MayOpen = everything) =>
  findPages(typed, mayOpen).map(({ label }) => label);

test.each([
  ["mess", ["Messages"]],
  ["KEYS", ["API keys"]],
  ["api", ["API log", "API keys", "Documentation"]],
  ["revoke leaked", ["API keys"]],
  ["audit log", ["Audit log"]],
  ["password", ["Account and security"]],
  ["422", ["API log"]],
  ["requests", ["API log"]],
  ["zebra", []],
])("%j finds %j, the name before the meaning", (typed, expected) => {
  expect(labels(typed)).toEqual(expected);
});

test("nothing typed finds every page, but those that who looks may not open", () => {
  expect(labels("  ")).toContain("Audit log");
  const agent = labels("", ({ capability }) => capability !== "audit.read");
  expect(agent).not.toContain("Audit log");
  expect(agent).toContain("Account and security");
  expect(agent).toContain("Webhook inbox");
  expect(labels("", ({ isOfDemo }) => !isOfDemo)).not.toContain("Webhook inbox");
});
