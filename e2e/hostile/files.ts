import fc from "fast-check";
import { BASE_PATH } from "@/e2e/support/api";
import { type HeaderLine, type HostileCase, requestBytes } from "./case";
import { headerValue } from "./nasty";
import { signedIn } from "./requests";
import type { HostileWorld } from "./world";

const LINE = { method: "POST", target: `${BASE_PATH}/uploads` } as const;
const TYPES = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "audio/ogg",
  "audio/ogg; codecs=opus",
  "video/mp4",
  "application/pdf",
  "text/plain",
  "text/html",
  "image/svg+xml",
  "application/octet-stream",
  "application/json",
  "application/x-www-form-urlencoded",
] as const;

/** The signatures of types, followed by bytes that match none of them. */
const BEGINNINGS = [
  "\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
  "\xff\xd8\xff\xe0\0\x10JFIF\0",
  "RIFF\xff\xff\xff\xffWEBPVP8 ",
  "OggS\0\x02",
  "\0\0\0\x20ftypisom",
  "\0\0\0\0ftyp",
  "ID3\x04\0\0\x7f\x7f\x7f\x7f",
  "%PDF-1.7\n",
  "PK\x03\x04\x14\0",
  "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
  "MZ",
  "<svg xmlns='http://www.w3.org/2000/svg'>",
  "\x1f\x8b\x08",
  "#!AMR\n",
  "",
] as const;

/** Types that are taken, each with its signature. Random types rarely fit a random file. */
const FITTING = [
  ["image/png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR"],
  ["image/jpeg", "\xff\xd8\xff\xe0\0\x10JFIF\0"],
  ["audio/ogg", "OggS\0\x02"],
  ["application/pdf", "%PDF-1.7\n"],
] as const;

const fitting = fc
  .tuple(fc.constantFrom(...FITTING), fc.uint8Array({ maxLength: 300 }))
  .map(([[type, beginning], rest]) => ({
    type,
    bytes: Buffer.concat([Buffer.from(beginning, "latin1"), rest]),
  }));

const contents = fc
  .tuple(fc.constantFrom(...BEGINNINGS), fc.uint8Array({ maxLength: 300 }), fc.constantFrom(1, 1, 1, 200))
  .map(([beginning, rest, times]) =>
    Buffer.concat([Buffer.from(beginning, "latin1"), ...Array<Uint8Array>(times).fill(rest)]),
  );

const boundaries = fc.constantFrom("b", "-", "a b", "\xff", "x".repeat(100), '"quoted"', "--", "");

/** A form as browsers send files: this API accepts none. */
const forms = fc
  .tuple(
    boundaries,
    fc.constantFrom(
      { count: 1, header: "" },
      { count: 1_000, header: "" },
      { count: 2, header: `X-Large: ${"a".repeat(20_000)}` },
      { count: 3, header: "Content-Type: multipart/mixed; boundary=b" },
    ),
    contents,
    fc.boolean(),
  )
  .map(([boundary, { count, header }, content, isClosed]) => {
    const part = Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n${header}\r\n\r\n`,
        "latin1",
      ),
      content.subarray(0, 60),
      Buffer.from("\r\n"),
    ]);
    const end = Buffer.from(isClosed ? `--${boundary}--\r\n` : "");
    return {
      type: `multipart/form-data; boundary=${boundary}`,
      bytes: Buffer.concat([...Array<Buffer>(count).fill(part), end]),
    };
  });

/** Files that don't match their declared type, and forms. */
export function uploads(world: HostileWorld): fc.Arbitrary<HostileCase> {
  const types = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...TYPES) },
    { weight: 1, arbitrary: headerValue },
  );
  const files = fc.tuple(types, contents).map(([type, bytes]) => ({ type, bytes }));
  const names = fc.option(headerValue, { nil: undefined });
  const secrets = fc.constantFrom(...world.uploadSecrets);
  const requests = fc.tuple(fc.oneof(files, files, forms, fitting), names, secrets);
  return requests.map(([{ type, bytes }, name, secret]): HostileCase => {
    const headers: HeaderLine[] = [...signedIn({ secret }), { name: "Content-Type", value: type }];
    if (name !== undefined) headers.push({ name: "X-Filename", value: name });
    return {
      family: "a file",
      pieces: [requestBytes(LINE, headers, bytes)],
      requests: [LINE],
      ending: "each",
    };
  });
}
