import { expect, test } from "vitest";
import { connectionsMax } from "./connections-max";

const limits = (files: string) => `Limit                     Soft Limit           Hard Limit           Units
Max processes             14922                14922                processes
Max open files            ${files.padEnd(20)} 524288               files
`;

test.each([
  ["512", 256],
  ["1024", 724],
  ["524288", 523_988],
  ["unlimited", Number.POSITIVE_INFINITY],
])("of %s open files clients get %d", (files, connections) => {
  expect(connectionsMax(limits(files))).toBe(connections);
});

test("without a known limit there is none", () => {
  expect(connectionsMax("")).toBe(Number.POSITIVE_INFINITY);
});
