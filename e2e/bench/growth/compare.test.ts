import { describe, expect, test } from "vitest";
import { compareSizes } from "./compare";
import type { MeasuredSize, MeasuredStatement } from "./measure";

const get = { operation: "get", text: "select", durationMs: 1, searches: {}, writes: {}, plan: [] } as const;

function size(messages: number, statement: Partial<MeasuredStatement>, level: number): MeasuredSize {
  return {
    messages,
    statements: [{ ...get, blocks: 0, ...statement }],
    indexes: [{ name: "messages_pkey", table: "messages", level }],
  };
}

describe("what a statement touches in a larger database", () => {
  test("is growth where it is a part of the table", () => {
    const [growth] = compareSizes(size(10, { blocks: 10 }, 1), size(100, { blocks: 100 }, 1));
    expect(growth).toMatchObject({ ratio: 10, ratioAtEqualDepth: 10, isGrowing: true });
  });

  test("is none where indexes have become deeper, by a page for each search and each row written", () => {
    const small = { blocks: 50, searches: { messages_pkey: 20 }, writes: { messages: 10 } };
    const [growth] = compareSizes(size(10, small, 1), size(100, { ...small, blocks: 110 }, 3));
    expect(growth).toMatchObject({ ratio: 2.2, ratioAtEqualDepth: 1, isGrowing: false });
  });

  test("is none where it is a few pages more or less", () => {
    const [growth] = compareSizes(size(10, { blocks: 3 }, 1), size(100, { blocks: 9 }, 1));
    expect(growth).toMatchObject({ ratio: 3, isGrowing: false });
  });

  test("isn't told of a statement that only one of them ran", () => {
    expect(compareSizes(size(10, { text: "other" }, 1), size(100, {}, 1))).toEqual([]);
  });
});
