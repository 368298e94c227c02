import { describe, expect, test } from "vitest";
import { readNotice } from "./plans";

const counts = { "Actual Rows": 2, "Actual Loops": 3 };
const scan = {
  "Node Type": "Index Scan",
  "Index Name": "messages_pkey",
  "Index Searches": 6,
  "Shared Hit Blocks": 4,
  "Shared Read Blocks": 1,
  ...counts,
};
const plan = {
  "Query Text": "update messages -- why\n  set x",
  Plan: {
    "Node Type": "ModifyTable",
    Operation: "Update",
    "Relation Name": "messages",
    "Shared Hit Blocks": 10,
    "Shared Read Blocks": 2,
    "Actual Rows": 0,
    "Actual Loops": 1,
    Plans: [scan, scan],
  },
};
const message = `duration: 1.250 ms  plan:\n${JSON.stringify(plan)}`;

describe("a statement that PostgreSQL tells of", () => {
  test("has its blocks, the searches of each index and the rows it wrote", () => {
    expect(readNotice({ message })).toEqual({
      text: "update messages set x",
      durationMs: 1.25,
      blocks: 12,
      searches: { messages_pkey: 12 },
      writes: { messages: 6 },
      plan: ["ModifyTable on messages", "Index Scan on messages_pkey", "Index Scan on messages_pkey"],
    });
  });

  test("counts once where it runs within a function, and apart where it checks a foreign key", () => {
    expect(readNotice({ message, where: 'SQL function "take" statement 1' })).toBeNull();
    expect(readNotice({ message, where: 'SQL statement "SELECT 1 … FOR KEY SHARE OF x"' })).not.toBeNull();
  });

  test("is none in any other notice", () => {
    expect(readNotice({ message: 'relation "a" already exists, skipping' })).toBeNull();
  });
});
