import { expect, test } from "vitest";
import { cleanFilename, extensionOf } from "./filename";

test.each([
  ["Offer.pdf", "Offer.pdf"],
  ["Angebot für Zoë 🙂.pdf", "Angebot für Zoë 🙂.pdf"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\ana\\Offer.pdf", "Offer.pdf"],
  ["a\r\nX-Evil: 1\0.pdf", "aX-Evil: 1.pdf"],
  ["invoice\u202efdp.exe", "invoicefdp.exe"],
  ["  spaced.txt ", "spaced.txt"],
  [".htaccess", ".htaccess"],
  ["e\u0301.txt", "\u00e9.txt"],
])("the name %j becomes %j", (name, cleaned) => {
  expect(cleanFilename(name)).toBe(cleaned);
});

test.each([undefined, "", "/", "..", "dir/", "\0\0", "\u200b"])("of %j no name is left", (name) => {
  expect(cleanFilename(name)).toBeNull();
});

test.each(["x".repeat(1_000), "ü".repeat(500), "🙂".repeat(200)])(
  "a name that is too long keeps its extension, and is cut between characters",
  (stem) => {
    const name = cleanFilename(`${stem}.pdf`) ?? "";
    expect(name.endsWith(".pdf")).toBe(true);
    expect(name.isWellFormed()).toBe(true);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
    expect(Buffer.byteLength(name)).toBeGreaterThan(236);
    expect(Buffer.byteLength(cleanFilename(`a.${stem}`) ?? "")).toBeLessThanOrEqual(240);
  },
);

test("an extension is told in lower case, and is absent from a name without", () => {
  expect([
    extensionOf("Offer.PDF"),
    extensionOf("a.tar.gz"),
    extensionOf("README"),
    extensionOf(null),
  ]).toEqual([".pdf", ".gz", "", ""]);
});
