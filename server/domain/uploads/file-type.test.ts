import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MEDIA_TYPES } from "@/server/adapters/whatsapp/media-types";
import { agreedType, bytesMaxOf, declaredType, examine, requireAccepted } from "./file-type";
import { officeFile, SAMPLES } from "./testing";

const OFFICE = "application/vnd.openxmlformats-officedocument";
const WORD = `${OFFICE}.wordprocessingml.document`;
const EXCEL = `${OFFICE}.spreadsheetml.sheet`;
const POWERPOINT = `${OFFICE}.presentationml.presentation`;

let directory: string;
beforeAll(async () => void (directory = await mkdtemp(path.join(tmpdir(), "waypost-file-type-"))));
afterAll(() => rm(directory, { recursive: true }));

/** Returns the type on which bytes and sender agree. */
async function typeOf(bytes: Buffer, contentType?: string, filename: string | null = null): Promise<string> {
  const file = path.join(directory, "file");
  await writeFile(file, bytes);
  return agreedType(declaredType(contentType), await examine(file), filename);
}

describe("a file's type", () => {
  test.each<[string, Buffer, string]>([
    ["PNG", SAMPLES.png, "image/png"],
    ["JPEG", SAMPLES.jpeg, "image/jpeg"],
    ["AAC", SAMPLES.aac, "audio/aac"],
    ["AMR", SAMPLES.amr, "audio/amr"],
    ["MP3", SAMPLES.mp3, "audio/mpeg"],
    ["M4A", SAMPLES.m4a, "audio/mp4"],
    ["Opus", SAMPLES.opus, "audio/ogg"],
    ["MP4", SAMPLES.mp4, "video/mp4"],
    ["3GP", SAMPLES.threeGp, "video/3gpp"],
    ["a sticker", SAMPLES.sticker, "image/webp"],
    ["an animated sticker", SAMPLES.animatedSticker, "image/webp"],
    ["PDF", SAMPLES.pdf, "application/pdf"],
    ["text", SAMPLES.text, "text/plain"],
    ["a Word file", officeFile(WORD), WORD],
    ["an Excel file", officeFile(EXCEL), EXCEL],
    ["a PowerPoint file", officeFile(POWERPOINT), POWERPOINT],
  ])(
    "is told from the bytes of %s, whether it was declared so, left open or not given",
    async (_, bytes, type) => {
      for (const declared of [
        type,
        `${type.toUpperCase()}; q=1`,
        undefined,
        "",
        "application/octet-stream",
      ]) {
        expect([declared, await typeOf(bytes, declared)]).toEqual([declared, type]);
      }
    },
  );

  test("is covered here for every type that WhatsApp takes", () => {
    const taken = Object.values(MEDIA_TYPES).flatMap(({ mimeTypes }) => [...mimeTypes]);
    for (const type of taken) expect(requireAccepted(type)).toBe(bytesMaxOf(type));
    expect(taken).toHaveLength(18);
  });

  test.each([
    ["image/jpg", SAMPLES.jpeg, "image/jpeg"],
    ["audio/mp3", SAMPLES.mp3, "audio/mpeg"],
    ["audio/x-m4a", SAMPLES.m4a, "audio/mp4"],
    ["audio/ogg; codecs=opus", SAMPLES.opus, "audio/ogg"],
    ["video/3gp", SAMPLES.threeGp, "video/3gpp"],
  ])("declared as %s is known by WhatsApp's name for it", async (declared, bytes, type) => {
    expect(await typeOf(bytes, declared)).toBe(type);
  });

  test("of an MP4 that may hold sound alone is the one declared", async () => {
    expect(await typeOf(SAMPLES.mp4, "audio/mp4")).toBe("audio/mp4");
  });

  test.each([
    ["application/msword", "a.doc"],
    ["application/vnd.ms-excel", "a.xls"],
    ["application/vnd.ms-powerpoint", "A.PPT"],
  ])("of an older Office file is %s where it is declared, or follows from its name", async (type, name) => {
    expect(await typeOf(SAMPLES.officeContainer, type)).toBe(type);
    expect(await typeOf(SAMPLES.officeContainer, undefined, name)).toBe(type);
  });

  test.each([
    Buffer.from("BMW builds cars"),
    Buffer.from("MZ is how it begins"),
    Buffer.from("%!PS in a text"),
    Buffer.from("\ufeffHello", "utf16le"),
  ])(
    "of a text is text/plain where it is declared so, though it begins with another type's mark: %s",
    async (bytes) => {
      expect(await typeOf(bytes, "text/plain; charset=utf-8")).toBe("text/plain");
    },
  );
});

describe("a file is refused", () => {
  const invalid = (words: RegExp) => ({ code: "invalid_media", message: expect.stringMatching(words) });

  test.each<[string, Buffer, RegExp]>([
    ["image/png", SAMPLES.jpeg, /`image\/png`.*`image\/jpeg`/],
    ["image/jpeg", SAMPLES.executable, /`image\/jpeg`.*`application\/x-msdownload`/],
    ["text/plain", SAMPLES.png, /`text\/plain`.*`image\/png`/],
    ["text/plain", Buffer.from([0x41, 0x00, 0x42]), /`text\/plain`.*an unknown type/],
    ["application/pdf", SAMPLES.text, /`application\/pdf`.*`text\/plain`/],
    ["image/png", SAMPLES.png.subarray(0, 8), /`image\/png`.*an unknown type/],
    ["video/mp4", SAMPLES.quicktime, /`video\/mp4`.*`video\/quicktime`/],
    ["audio/ogg", SAMPLES.vorbis, /`audio\/ogg`.*without Opus/],
    ["application/msword", SAMPLES.pdf, /`application\/msword`.*`application\/pdf`/],
    [WORD, officeFile(EXCEL), /wordprocessingml.*spreadsheetml/],
    [WORD, officeFile("application/unknown"), /wordprocessingml.*`application\/zip`/],
  ])("when it was sent as %s and its bytes say otherwise, naming both", async (declared, bytes, words) => {
    await expect(typeOf(bytes, declared)).rejects.toMatchObject(invalid(words));
  });

  test.each<[Buffer, RegExp]>([
    [SAMPLES.gif, /`image\/gif`/],
    [SAMPLES.executable, /`application\/x-msdownload`/],
    [SAMPLES.vorbis, /without Opus/],
    [SAMPLES.officeContainer, /`Content-Type`/],
    [Buffer.from('<?xml version="1.0"?><svg/>'), /`application\/xml`/],
    [Buffer.from([0, 1, 2, 3]), /an unknown type/],
  ])("when nothing was declared and WhatsApp doesn't take what it is", async (bytes, words) => {
    await expect(typeOf(bytes)).rejects.toMatchObject(invalid(words));
  });

  test.each(["image/gif", "text/html", "image/*", "png", "__proto__", "constructor", "x".repeat(5_000)])(
    "before it is read when its type is one that WhatsApp never takes: %.20s",
    (type) => {
      const declared = declaredType(type) ?? "";
      const message = expect.stringMatching(/^.{10,200}$/);
      expect(() => requireAccepted(declared)).toThrow(
        expect.objectContaining({ code: "invalid_media", message }),
      );
    },
  );
});
