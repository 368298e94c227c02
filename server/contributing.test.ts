import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { REPOSITORY } from "@/e2e/support/program";

const text = readFileSync(path.join(REPOSITORY, "server", "contributing.md"), "utf8");

/** Paths in the text, without names of packages. A path with a placeholder doesn't exist. */
const paths = [...text.matchAll(/`([^`\s]+\/[^`]+?)`/g)]
  .map(([, name = ""]) => name)
  .filter((name) => !name.includes("<") && !/^[/@]/.test(name) && !name.includes("docs/errors"));

/** Steps of "Add an endpoint", by number. */
const steps = [...text.matchAll(/^(\d)\. \*\*(.+?)\.\*\*/gm)].map(([, number = "", title = ""]) => ({
  number,
  title,
}));
const checks = [...text.matchAll(/^\| (\d) +\| `(.+?)` +\|$/gm)].map(([, number = "", file = ""]) => ({
  number,
  file,
}));

/** Tests that the documentation's page of promises names. */
const promised = [
  ...readFileSync(path.join(REPOSITORY, "app/docs/promises/page.mdx"), "utf8").matchAll(
    /`((?:e2e|server)\/[^`]+)`/g,
  ),
].map(([, name = ""]) => name);

test("the page of promises names tests that exist", () => {
  expect(promised.length).toBeGreaterThan(10);
  expect(promised.filter((name) => !existsSync(path.join(REPOSITORY, name)))).toEqual([]);
});

describe("server/contributing.md", () => {
  test.each(paths)("names %s, which exists", (name) => {
    expect(existsSync(path.join(REPOSITORY, name))).toBe(true);
  });

  test("names a check for each step of an endpoint", () => {
    expect(steps.length).toBeGreaterThan(5);
    expect(checks.map(({ number }) => number)).toEqual(steps.map(({ number }) => number));
  });

  test.each(steps)(
    "has a check that names step $number, $title, when an endpoint lacks it",
    ({ number, title }) => {
      const file = checks.find((check) => check.number === number)?.file ?? "";
      expect(readFileSync(path.join(REPOSITORY, file), "utf8")).toContain(`missingStep("${title}")`);
    },
  );
});
