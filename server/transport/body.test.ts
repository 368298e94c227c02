import { describe, expect, test } from "vitest";
import {
  checkContentEncoding,
  checkContentType,
  checkDeclaredLength,
  parseJsonObject,
  readBody,
  findDuplicateMember,
} from "./body";

async function* chunks(...parts: (string | Uint8Array)[]) {
  for (const part of parts) yield Buffer.from(part);
}

const refused = (code: string) => expect.objectContaining({ code });

describe("reading a body", () => {
  test("joins its chunks, however they are cut", async () => {
    const bytes = Buffer.from('{"a":"ü🙂"}');
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await readBody(chunks(...single))).toEqual(bytes);
    expect(await readBody(chunks())).toEqual(Buffer.alloc(0));
  });

  test("takes 64 KiB, and stops reading at the first byte more, declared or not", async () => {
    const kibibyte = Buffer.alloc(1024, "x");
    expect(await readBody(chunks(...Array.from({ length: 64 }, () => kibibyte)))).toHaveLength(65_536);
    let read = 0;
    const endless = async function* () {
      for (;;) {
        read += 1;
        yield kibibyte;
      }
    };
    await expect(readBody(endless())).rejects.toEqual(refused("payload_too_large"));
    expect(read).toBe(65);
    expect(() => checkDeclaredLength("65537")).toThrow(refused("payload_too_large"));
    expect(() => checkDeclaredLength("65536")).not.toThrow();
    expect(() => checkDeclaredLength(undefined)).not.toThrow();
  });

  test("of a client that broke off never arrived: that is not the database's failure", async () => {
    const breaking = async function* () {
      yield Buffer.from("{");
      throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
    };
    await expect(readBody(breaking())).rejects.toEqual(refused("request_timeout"));
  });

  test("ends at the time limit, for a body that stalls and for one that drips", async () => {
    const limits = { bytesMax: 1_000_000, timeoutMs: 40 };
    const stalling = async function* () {
      yield Buffer.from("{");
      await new Promise(() => undefined);
    };
    const dripping = async function* () {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.from(" ");
      }
    };
    await expect(readBody(stalling(), limits)).rejects.toEqual(refused("request_timeout"));
    await expect(readBody(dripping(), limits)).rejects.toEqual(refused("request_timeout"));
  });
});

describe("what a body may be", () => {
  test.each([undefined, "", "application/json", "Application/JSON; charset=utf-8"])("of type %s", (type) => {
    expect(() => checkContentType(type)).not.toThrow();
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"])(
    "not of type %s",
    (type) => {
      expect(() => checkContentType(type)).toThrow(refused("unsupported_media_type"));
    },
  );

  test("not compressed in any way", () => {
    for (const encoding of [undefined, "", "identity", "Identity"]) checkContentEncoding(encoding);
    for (const encoding of ["gzip", "br", "identity, gzip"])
      expect(() => checkContentEncoding(encoding)).toThrow(refused("unsupported_media_type"));
  });

  test.each(["", "{", "[]", "null", '"text"', "1", "{'a':1}"])("not %j", (text) => {
    expect(() => parseJsonObject(Buffer.from(text))).toThrow(refused("validation_failed"));
  });

  test("not what isn't UTF-8", () => {
    expect(() => parseJsonObject(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toThrow(
      refused("validation_failed"),
    );
  });

  test("a member named __proto__ stays a member, and changes no prototype", () => {
    const parsed = parseJsonObject(Buffer.from('{"__proto__":{"admin":true}}'));
    expect(Reflect.get(parsed, "admin")).toBeUndefined();
    expect(Reflect.get({}, "admin")).toBeUndefined();
  });

  describe("the same member twice in", () => {
    test.each([
      ["the body", '{"a":1,"b":2,"a":1}', "a"],
      ["an object within", '{"text":{"body":"x","body":"y"}}', "text.body"],
      ["an object of an array", '{"list":[{"a":1},[],{"b":"}","c":[1,2],"b":2}]}', "list.2.b"],
      ["an object that came after others", '{"a":{"b":1},"c":{"b":1,"d":{}},"e":1,"c":2}', "c"],
      ["letters and in escapes", String.raw`{"a":1,"\u0061":2}`, "a"],
      ["two spellings of an escape", String.raw`{"\u00e9/":1,"é\/":2}`, "é/"],
      ["a name with quotes", String.raw`{"a\"":1,"b\\":2,"a\u0022":3}`, 'a"'],
      ["spite of white space", '{ "a" \t\r\n: 1 , \n"a"\n:\n2 }', "a"],
      ["__proto__", '{"__proto__":1,"__proto__":2}', "__proto__"],
      ["__proto__ within", '{"a":{"__proto__":{},"b":1,"__proto__":{}}}', "a.__proto__"],
      ["a name that every object has", '{"toString":1,"toString":2}', "toString"],
      ["a name that is empty", '{"":1,"":2}', ""],
    ])("%s is refused, by name", (_, json, field) => {
      expect(() => parseJsonObject(Buffer.from(json))).toThrow(
        expect.objectContaining({
          code: "validation_failed",
          field,
          message: `\`${field}\` is given twice.`,
        }),
      );
    });

    test.each([
      '{"a":{"a":{"a":1}},"b":{"a":1}}',
      '{"a":[{"a":1},{"a":1}],"b":[{"b":1}]}',
      '{"a":"a","b":"a","c":["a","a"]}',
      '{"a":"\\"a\\":1,","b":"{\\"a\\":1,\\"a\\":2}"}',
      '{"a":1,"A":2,"é":3,"e\u0301":4}',
      '{"toString":1,"constructor":2}',
      "{}",
    ])("none of %s", (json) => {
      expect(parseJsonObject(Buffer.from(json))).toEqual(JSON.parse(json));
    });

    test("a name that nobody could read isn't told", () => {
      const error = { code: "validation_failed", field: undefined };
      for (const name of ["\\u0000", "\\ud800"]) {
        expect(() => parseJsonObject(Buffer.from(`{"${name}":1,"${name}":2}`))).toThrow(
          expect.objectContaining(error),
        );
      }
    });

    test("a body of 4 MiB is found in one pass, however it is built", () => {
      const MIB = 4 * 1024 * 1024;
      const depth = MIB / 8;
      const shapes = [
        `{"a":"${"\\\\".repeat(MIB / 2)}","a":1}`,
        `{"a":1${" ".repeat(MIB)},"a":1}`,
        `{${Array.from({ length: MIB / 12 }, (_, index) => `"${index}":1`).join(",")},"0":1}`,
        `{"a":[${"{},".repeat(MIB / 3)}{}],"a":1}`,
        `{"a":${"[".repeat(depth)}${"]".repeat(depth)},"a":1}`,
      ];
      for (const json of shapes) {
        const startedAt = performance.now();
        expect(findDuplicateMember(json)).toEqual([json.includes('"0"') ? "0" : "a"]);
        expect(performance.now() - startedAt).toBeLessThan(5000);
      }
    });
  });
});
