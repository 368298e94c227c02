import fc from "fast-check";

/** Names with a special meaning for JavaScript's objects. */
export const PROTOTYPE_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "toJSON",
  "then",
  "length",
] as const;

/** Texts that have broken other programs. */
const TEXTS = [
  "",
  " ",
  "\t\r\n",
  "null",
  "undefined",
  "NaN",
  "-1",
  "1e400",
  "' or '1'='1",
  "'; drop table messages; --",
  "$1",
  "%00",
  "%s%n%x",
  "../../../../etc/passwd",
  "${jndi:ldap://127.0.0.1/a}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "\u202etxt.exe",
  "\u2800",
  "\ufeff",
  "\ufffe\uffff",
  "e\u0301".repeat(60),
  "👩‍👩‍👧‍👦".repeat(20),
  "İıſK",
  "🇩🇪".repeat(30),
  "a".repeat(129),
  "x".repeat(5_000),
] as const;

/** Text from all of Unicode, including NUL and edge cases, but without lone surrogates. Lengths are in code points. */
export const anyText = (maxLength: number) =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength }) },
      { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength }) },
      { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
    )
    .map((text) => [...text].slice(0, maxLength).join(""));

const deep = (open: string, inner: string, close: string) =>
  fc.constantFrom(2, 40, 500, 9_000).map((depth) => open.repeat(depth) + inner + close.repeat(depth));

/** JSON, or nearly JSON, in place of a value, including forms that no serializer writes. */
export const nastyJson: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1e999",
    "-1e999",
    "1e-999",
    "9007199254740993",
    "0.1e-7",
    "1".repeat(400),
    "[]",
    "{}",
    "[null]",
    '""',
    String.raw`"\u0000"`,
    String.raw`"a\u0000b"`,
    String.raw`"\ud800"`,
    String.raw`"\udc00\ud800"`,
    String.raw`"a\udfffb"`,
    String.raw`"\ud83d\ude00"`,
    String.raw`"\/\b\f\u2028"`,
  ),
  anyText(40).map((text) => JSON.stringify(text)),
  fc.constantFrom(...PROTOTYPE_NAMES).map((name) => `{"${name}":{"${name}":1}}`),
  fc.json({ maxDepth: 4 }),
  fc.oneof(deep("[", "1", "]"), deep('{"a":', "null", "}")),
  fc.nat(3_000).map((count) => `[${Array(count).fill("0").join(",")}]`),
);

/** Invalid JSON or invalid UTF-8 in place of a value. */
export const brokenJson: fc.Arbitrary<Buffer> = fc
  .oneof(
    fc.constantFrom(
      "NaN",
      "Infinity",
      "-Infinity",
      "undefined",
      "01",
      "+1",
      ".5",
      "1.",
      "0x10",
      "'a'",
      '"\n"',
      '"\0"',
      String.raw`"\x41"`,
      String.raw`"\u12"`,
      "[1,]",
      "{,}",
      "{a:1}",
      "/* */1",
      '"',
      "[",
      "{",
      "tru",
    ),
    fc.constantFrom('"\xff"', '"\xc0\x80"', '"\xed\xa0\x80"', '"\xf5\x80\x80\x80"', '"\xe2\x82"', '"\x80"'),
  )
  .map((text) => Buffer.from(text, "latin1"));

/** A header's value: everything that HTTP's grammar allows, and nothing else, as Latin-1. */
export const headerValue = fc.oneof(
  fc.constantFrom("", "0", "-1", "null", ",", ";", "=", "*/*", '"', '"a', "a,b,,c", "%", "%00", "\t x \t"),
  fc.stringMatching(/^[\x21-\x7e]{0,60}$/),
  fc.stringMatching(/^[\x21-\x7e\xa0-\xff][\t\x20-\x7e\x80-\xff]{0,200}$/),
  fc.constantFrom("x".repeat(4_000), "\xff".repeat(300)),
);

/** Part of a path or query, with valid or invalid percent-encoding. */
export const pathGarbage = fc.oneof(
  fc.constantFrom(
    "%",
    "%0",
    "%zz",
    "%00",
    "%2e%2e",
    "%2E.",
    "..",
    ".",
    "%2f",
    "%5c",
    "\\",
    "%c0%ae",
    "%E0%A4%A",
    "%ff",
    "%u0041",
    ";a=b",
    "*",
    "~",
    "null",
    "[]",
    "{}",
    "|",
    '"',
    "<",
    "^",
    "`",
    "__proto__",
    "constructor",
    "\xe9",
    "\xff\xfe",
    "a".repeat(3_000),
  ),
  fc.stringMatching(/^[\x21\x22\x24-\x3e\x40-\x7e]{1,12}$/),
  fc.string({ unit: "binary", maxLength: 6 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
