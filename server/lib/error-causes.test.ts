import { expect, test } from "vitest";
import { rootCause, systemCodeOf } from "./error-causes";

const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.1:443"), { code: "ECONNREFUSED" });

test("an error's root is what it began with, and one that is its own cause has one too", () => {
  expect(rootCause(new Error("outer", { cause: new Error("inner", { cause: refused }) }))).toBe(refused);
  expect(rootCause(new Error("words", { cause: "no error" })).message).toBe("words");
  const circular = new Error("circular");
  circular.cause = circular;
  expect(rootCause(circular)).toBe(circular);
});

test("the code is the system's, wherever in the chain it stands, and a number is none", async () => {
  expect(systemCodeOf(new TypeError("fetch failed", { cause: refused }))).toBe("ECONNREFUSED");
  expect(systemCodeOf(new DOMException("took too long", "TimeoutError"))).toBeNull();
  expect(systemCodeOf("ECONNRESET")).toBeNull();
});
