import fc from "fast-check";
import { expect, test } from "vitest";
import { boundaryOf, MultipartError, readForm } from "./multipart";

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function partsOf(bytes: Buffer, boundary: string, size: number) {
  const parts: { name: string; filename: string | null; contentType: string | null; body: Buffer }[] = [];
  for await (const { name, filename, contentType, body } of readForm(inPieces(bytes, size), boundary)) {
    const pieces: Buffer[] = [];
    for await (const piece of body) pieces.push(piece);
    parts.push({ name, filename, contentType, body: Buffer.concat(pieces) });
  }
  return parts;
}

test("a form that fetch writes is read byte for byte, however it falls into pieces", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 3000 }),
      fc.string({ unit: "grapheme", maxLength: 50 }),
      fc.integer({ min: 1, max: 500 }),
      async (bytes, field, size) => {
        const form = new FormData();
        form.set("note", field);
        form.set("file", new Blob([Buffer.from(bytes)], { type: "image/png" }), "a.png");
        const request = new Request("http://localhost/", { method: "POST", body: form });
        const boundary = boundaryOf(request.headers.get("content-type") ?? "") ?? "";
        const parts = await partsOf(Buffer.from(await request.arrayBuffer()), boundary, size);
        // RFC 7578: line ends in a text field are written as CRLF.
        const written = field.replace(/\r?\n|\r/g, "\r\n");
        expect(parts).toEqual([
          { name: "note", filename: null, contentType: null, body: Buffer.from(written) },
          { name: "file", filename: "a.png", contentType: "image/png", body: Buffer.from(bytes) },
        ]);
      },
    ),
    { numRuns: 200 },
  );
});

test("what looks nearly like a boundary stays in the file", async () => {
  const body = "\r\n--\r\n--b\r\n--boundar\r\n-boundary\r\n\r\n";
  const form = `preamble\r\n--boundary\r\ncontent-disposition: form-data; name=file; filename=x\r\n\r\n${body}\r\n--boundary--\r\nepilogue`;
  for (const size of [1, 2, 7, 1000]) {
    expect((await partsOf(Buffer.from(form), "boundary", size)).map((part) => String(part.body))).toEqual([
      body,
    ]);
  }
});

test.each([
  { what: "ends too soon", form: "--b\r\ncontent-disposition: form-data; name=a\r\n\r\nvalue" },
  { what: "has a part without a name", form: "--b\r\ncontent-disposition: form-data\r\n\r\nvalue\r\n--b--" },
  { what: "has a head without end", form: `--b\r\nx: ${"y".repeat(10_000)}\r\n\r\nvalue\r\n--b--` },
  { what: "has bytes behind a boundary", form: "--bXY\r\n\r\nvalue\r\n--b--" },
  { what: "is empty", form: "" },
])("a form that $what is refused", async ({ form }) => {
  await expect(partsOf(Buffer.from(form), "b", 100)).rejects.toThrow(MultipartError);
});

test.each([
  { header: 'multipart/form-data; boundary="a b"', boundary: "a b" },
  { header: "multipart/form-data; charset=utf-8; boundary=abc", boundary: "abc" },
  { header: "multipart/form-data", boundary: null },
  { header: "application/json", boundary: null },
  { header: undefined, boundary: null },
])("the boundary of $header is $boundary", ({ header, boundary }) => {
  expect(boundaryOf(header)).toBe(boundary);
});
