import { expect, test } from "vitest";
import { findActions, meansDisabling } from "./find-actions";

const CHANNELS = [
  { value: "c1", label: "Support" },
  { value: "c2", label: "Sales" },
];
const everything = () => true;
const labels = (typed: string, may: Parameters<typeof findActions>[1] = everything) =>
  findActions(typed, may, CHANNELS).map(({ label }) => label);

test.each([
  ["create key", ["Create a key"]],
  ["send TEST", ["Send a test message"]],
  ["pause sup", ["Disable channel Support"]],
  ["disable", ["Disable channel Support", "Disable channel Sales"]],
  ["new", ["Send a test message", "Create a key", "Add a webhook endpoint", "Connect a number"]],
  ["leaked", ["Look up a key"]],
  ["support", []],
  ["zebra", []],
  [" ", []],
])("%j finds the actions %j", (typed, expected) => {
  expect(labels(typed)).toEqual(expected);
});

test("nobody finds an action that they may not do", () => {
  expect(labels("new", (capability) => capability === "messages.send")).toEqual(["Send a test message"]);
  expect(labels("pause", (capability) => capability !== "channels.manage")).toEqual([]);
});

test("an action leads to its dialog", () => {
  const paths = findActions("pause support", everything, CHANNELS).map(({ path }) => path);
  expect(paths).toEqual(["/channels/c1?dialog=disable"]);
});

test.each([
  ["pa", true],
  ["Disable Support", true],
  ["p", false],
  ["support pause", false],
  ["", false],
])("%j means disabling a channel: %j", (typed, expected) => {
  expect(meansDisabling(typed)).toBe(expected);
});
