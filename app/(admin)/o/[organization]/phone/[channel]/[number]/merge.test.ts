import { expect, test } from "vitest";
import { MESSAGES_MAX, mergeViews } from "./merge";

const view = (is_whole: boolean, ...messages: { id: string; state: string }[]) => ({ is_whole, messages });
const one = { id: "1", state: "sent" };
const two = { id: "2", state: "sent" };

test("changed messages stay in their place, and new ones come last", () => {
  const read = { id: "1", state: "read" };
  const three = { id: "3", state: "sent" };
  expect(mergeViews(view(true, one, two), view(false, read, three))).toEqual(view(false, read, two, three));
});

test("a whole view replaces the earlier one", () => {
  expect(mergeViews(view(true, one), view(true, two))).toEqual(view(true, two));
  expect(mergeViews(undefined, view(false, two))).toEqual(view(false, two));
});

test("the latest messages are kept", () => {
  const many = Array.from({ length: MESSAGES_MAX }, (_, place) => ({ id: `m${place}`, state: "read" }));
  const { messages } = mergeViews(view(true, ...many), view(false, one));
  expect([messages.length, messages[0]?.id, messages.at(-1)]).toEqual([MESSAGES_MAX, "m1", one]);
});
