import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { appRouter } from "@/server/edge/trpc/router";
import { openApiDocument } from "./document";

const CHANGELOG = new URL("../../../app/docs/changelog/page.mdx", import.meta.url);

/** Texts may be improved without an entry. */
const TEXTS = new Set([
  "description",
  "summary",
  "title",
  "example",
  "examples",
  "info",
  "servers",
  "externalDocs",
]);

/** Everything of the document but its texts, with sorted members. */
function shapeOf(value: unknown, isSchemaMap = false): unknown {
  if (Array.isArray(value)) return value.map((part) => shapeOf(part));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([name]) => isSchemaMap || !TEXTS.has(name));
  const sorted = members.toSorted(([one], [other]) => (one < other ? -1 : 1));
  // The names in a map of fields are fields: one may be called `title`.
  return Object.fromEntries(sorted.map(([name, part]) => [name, shapeOf(part, name === "properties")]));
}

test("the changelog has an entry for the latest change of the OpenAPI document", async () => {
  const shape = JSON.stringify(shapeOf(openApiDocument(appRouter, "https://waypost.example")));
  const fingerprint = createHash("sha256").update(shape).digest("hex").slice(0, 12);
  const changelog = await readFile(CHANGELOG, "utf8");
  const [, recorded] = /\{\/\* openapi ([0-9a-zA-Z]+) \*\/\}/.exec(changelog) ?? [];
  expect(
    recorded,
    `The OpenAPI document has changed. Describe the change for integrators in app/docs/changelog/page.mdx, and write {/* openapi ${fingerprint} */} below the heading of its entry.`,
  ).toBe(fingerprint);
});
