/**
 * Reads the JSON report of vitest and prints two numbers, passed and failed: `node .ci/count-tests.mjs FILE`. A test
 * file that couldn't be loaded counts as one failure, and so does a missing report.
 */
import { readFileSync } from "node:fs";

/** @typedef {{ status: string, assertionResults: { status: string }[] }} TestFile */

/** @returns {TestFile[]} */
function readReport() {
  try {
    return JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")).testResults;
  } catch {
    return [{ status: "failed", assertionResults: [] }];
  }
}

const outcomes = readReport().flatMap(({ status, assertionResults }) => {
  const tests = assertionResults.map((test) => test.status);
  return status === "failed" && !tests.includes("failed") ? [...tests, "failed"] : tests;
});
const count = (/** @type {string} */ status) => outcomes.filter((outcome) => outcome === status).length;
console.log(`${count("passed")} ${count("failed")}`);
