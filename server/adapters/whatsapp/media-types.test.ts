import { expect, test } from "vitest";
import { isExtensionAccepted, isMimeTypeAccepted, MEDIA_TYPES, type MediaType } from "./media-types";

const types = Object.entries(MEDIA_TYPES).map(([type, limits]) => ({ type, ...limits }));

const isType = (type: string): type is MediaType => Object.hasOwn(MEDIA_TYPES, type);

test.each(types)("for type $type every file type of it is taken, and none of another type", ({ type }) => {
  if (!isType(type)) throw new Error(type);
  for (const other of types) {
    for (const mimeType of other.mimeTypes) {
      expect([mimeType, isMimeTypeAccepted(type, mimeType)]).toEqual([mimeType, other.type === type]);
    }
  }
});

test.each([
  ["image", "IMAGE/PNG", true],
  ["image", " image/png ; q=1", true],
  ["image", "image/webp", false],
  ["image", "image/svg+xml", false],
  ["image", "image/*", false],
  ["image", "png", false],
  ["image", "", false],
  ["document", "text/plain; charset=utf-8", true],
  ["document", "text/html", false],
  ["document", "application/zip", false],
  ["video", "video/quicktime", false],
  ["audio", "audio/ogg; codecs=opus", true],
  ["audio", 'audio/ogg; codecs="opus"', true],
  ["audio", "audio/ogg; codecs=vorbis", false],
  ["audio", "audio/wav", false],
] as const)("for type %s, %s is taken: %s", (type, mimeType, isTaken) => {
  expect(isMimeTypeAccepted(type, mimeType)).toBe(isTaken);
});

test.each(types)("for type $type every extension of it is taken, and none of another type", ({ type }) => {
  if (!isType(type)) throw new Error(type);
  for (const other of types) {
    for (const extension of other.extensions) {
      expect([extension, isExtensionAccepted(type, extension)]).toEqual([extension, other.type === type]);
    }
  }
});

test.each([".gif", ".tiff", ".svg", ".mov", ".wav", ".html", ".csv", ".zip", ".exe"])(
  "%s is taken for no type",
  (extension) => {
    for (const { type } of types) expect(isType(type) && isExtensionAccepted(type, extension)).toBe(false);
  },
);

test.each(["", ".", ".php", ".2024", ".jpg-large", ".constructor"])(
  "an extension that names no type of file, %j, is taken for each",
  (extension) => {
    for (const { type } of types) expect(isType(type) && isExtensionAccepted(type, extension)).toBe(true);
  },
);
