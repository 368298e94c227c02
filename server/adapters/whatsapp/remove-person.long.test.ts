import { expect, test } from "vitest";
import { withoutEntriesOf } from "./remove-person";
import { nestedAround } from "@/server/domain/callbacks/testing";

const ANA = "5511987654321";

test("a person is cut out of the deepest nesting that the largest body has room for", () => {
  expect(withoutEntriesOf(nestedAround(ANA, 2_000_000), new Set([ANA]))?.toString() ?? ANA).not.toContain(
    ANA,
  );
});
