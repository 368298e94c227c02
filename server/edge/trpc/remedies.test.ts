import { expect, test } from "vitest";
import {
  catalogueEntry,
  type ErrorCode,
  ERRORS,
  FAILURE_CODES,
  PUBLIC_CODES,
  remedyInUi,
} from "@/server/platform/errors";
import { proceduresOf } from "@/server/edge/public/routes";
import { appRouter } from "./router";

/** Errors that any procedure of a page can return. */
const ALWAYS = [
  "validation_failed",
  "internal_error",
  "unavailable",
  "request_timeout",
  "rate_limited",
] as const satisfies readonly ErrorCode[];

/** Headers, fields and routes that only a program uses. */
const FOR_PROGRAMS =
  /Retry-After|client_message_id|thread_id|storage_key|error\.field|E\.164|(GET|POST) \/|same request/;

/** Of the routes of the public API, pages also call those of webhooks. */
function codesOfPages(): readonly ErrorCode[] {
  const declared = Object.entries(proceduresOf(appRouter)).flatMap(([name, { meta }]) =>
    "openapi" in meta && meta.openapi !== undefined && !name.startsWith("webhooks.") ? [] : meta.errors,
  );
  return [...new Set([...declared, ...ALWAYS])];
}

test("what a page says to do about a refusal names nothing that only a program has", () => {
  const codes = codesOfPages();
  expect(codes).toContain("outside_customer_window");
  expect(codes.filter((code) => FOR_PROGRAMS.test(remedyInUi(code)))).toEqual([]);
});

test("what staff are told of a failed message names nothing that only a program has either", () => {
  const reported = FAILURE_CODES.map((code) => {
    const { message, staffRemedy } = catalogueEntry(code);
    return { code, words: `${message} ${staffRemedy}` };
  });
  expect(reported.filter(({ words }) => FOR_PROGRAMS.test(words))).toEqual([]);
});

test("a command that only the checkout has is told to integrators with that word", () => {
  const reported = PUBLIC_CODES.map((code) => catalogueEntry(code)).map(({ message, remedy }) => ({
    message,
    remedy,
  }));
  const withCommand = reported.filter(({ message, remedy }) => /\bnpm\b/.test(`${message} ${remedy}`));
  expect(withCommand).not.toEqual([]);
  for (const words of withCommand) expect(words.remedy).toContain("in a checkout of Waypost");
});

test("integrators are told what their program does", () => {
  expect(ERRORS.unavailable.remedy).toContain("Retry-After");
  expect(remedyInUi("unavailable")).toBe("Wait a few seconds, then try again.");
});
