import { expect, test } from "vitest";
import { sortedRows } from "./sortable-table";

interface Row {
  readonly name: string;
  readonly used: number | null;
}

const ROWS: readonly Row[] = [
  { name: "shop 10", used: null },
  { name: "Shop 9", used: 20 },
  { name: "billing", used: 3 },
];
const COLUMNS = [
  { head: "Name", sortBy: ({ name }: Row) => name },
  { head: "Used", sortBy: ({ used }: Row) => used },
  { head: "Plain" },
];
const sorted = (head: string, isDescending = false) =>
  sortedRows(ROWS, COLUMNS, { head, isDescending }).map(({ name }) => name);

test("names are sorted as people sort them: by numbers in them, whatever the case", () => {
  expect(sorted("Name")).toEqual(["billing", "Shop 9", "shop 10"]);
  expect(sorted("Name", true)).toEqual(["shop 10", "Shop 9", "billing"]);
});

test("numbers are sorted by value, and rows without one are last in both orders", () => {
  expect(sorted("Used")).toEqual(["billing", "Shop 9", "shop 10"]);
  expect(sorted("Used", true)).toEqual(["Shop 9", "billing", "shop 10"]);
});

test("the list's own order stays without a choice, and for a column without an order", () => {
  expect(sortedRows(ROWS, COLUMNS, null)).toBe(ROWS);
  expect(sorted("Plain")).toEqual(ROWS.map(({ name }) => name));
});
