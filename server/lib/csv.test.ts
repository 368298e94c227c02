import { describe, expect, test } from "vitest";
import { type CsvCell, type CsvColumns, csvOf } from "./csv";

async function* batchesOf<Row>(...batches: Row[][]): AsyncGenerator<Row[]> {
  yield* batches;
}

async function chunksOf<Row>(columns: CsvColumns<Row>, ...batches: Row[][]): Promise<string[]> {
  const chunks: string[] = [];
  for await (const chunk of csvOf(columns, batchesOf(...batches))) chunks.push(chunk);
  return chunks;
}

/** Returns the cell as it is written. */
async function written(cell: CsvCell): Promise<string> {
  const [, line = ""] = await chunksOf({ cell: (row: { cell: CsvCell }) => row.cell }, [{ cell }]);
  return line.slice(0, -2);
}

describe("a CSV file", () => {
  test("begins with its header, which a spreadsheet reads as UTF-8, also where there are no rows", async () => {
    expect(await chunksOf({ id: String, "who, when": String })).toEqual(['\uFEFFid,"who, when"\r\n']);
  });

  test("has a line for each row, and a chunk for each batch that isn't empty", async () => {
    const columns = { number: (row: number) => row, square: (row: number) => row * row };
    expect((await chunksOf(columns, [1, 2], [], [3])).slice(1)).toEqual(["1,1\r\n2,4\r\n", "3,9\r\n"]);
  });

  test.each([
    { cell: null, line: "" },
    { cell: "", line: "" },
    { cell: false, line: "false" },
    { cell: -1.5, line: "-1.5" },
    { cell: new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 6)), line: "2026-01-02T03:04:05.006Z" },
    { cell: "Grüße 👋", line: "Grüße 👋" },
    { cell: "a,b", line: '"a,b"' },
    { cell: 'the "best"', line: '"the ""best"""' },
    { cell: "two\nlines", line: '"two\nlines"' },
    { cell: "two\r\nlines", line: '"two\r\nlines"' },
    { cell: "4915112345678", line: "4915112345678" },
  ])("writes $cell as $line", async ({ cell, line }) => {
    expect(await written(cell)).toBe(line);
  });

  test.each([
    "=1+1",
    "+49151",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\u200B=1",
    "＝1",
    "－1",
    "＠x",
  ])("shows %j as text, not as a formula", async (cell) => {
    expect(await written(cell)).toMatch(/^"?'/);
  });

  test("defuses a formula that has to be quoted too", async () => {
    expect(await written('=HYPERLINK("https://example.com","x")')).toBe(
      `"'=HYPERLINK(""https://example.com"",""x"")"`,
    );
  });

  test("stops its rows when its reader leaves", async () => {
    let hasEnded = false;
    async function* endless() {
      try {
        for (let row = 0; ; row++) yield [row];
      } finally {
        hasEnded = true;
      }
    }
    let read = 0;
    for await (const _ of csvOf({ row: Number }, endless())) if (++read === 3) break;
    expect(hasEnded).toBe(true);
  });
});
