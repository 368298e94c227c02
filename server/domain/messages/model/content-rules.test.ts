import { describe, expect, test } from "vitest";
import {
  type Content,
  CONTENT_FIELDS,
  type ContentField,
  contentProblem,
  MESSAGE_TYPES,
  type MessageType,
} from "./content-rules";

const media = { storage_key: "a" };
const template = { name: "order", language: "en_US" };
const text = { body: "Hello" };
/** A value of each field. The rules look into three of them only. */
const FIELDS = {
  text,
  media,
  template,
  interactive: { type: "location_request", body: "Where?" },
  reaction: { message_id: "a", emoji: "" },
  location: { latitude: 1, longitude: 2 },
  contacts: [{ name: "Ana" }],
} as const satisfies Record<ContentField, unknown>;

/** The complete fields of each type, and nothing else. */
const WHOLE: Readonly<Record<MessageType, Omit<Content, "type">>> = {
  text: { text },
  image: { media, text },
  audio: { media },
  video: { media, text },
  document: { media, text },
  sticker: { media },
  template: { template },
  interactive: { interactive: FIELDS.interactive },
  reaction: { reaction: FIELDS.reaction },
  location: { location: FIELDS.location },
  contacts: { contacts: FIELDS.contacts },
};

const types = MESSAGE_TYPES.map((type) => ({ type, whole: WHOLE[type] }));
const pathOf = (content: Content) => contentProblem(content)?.path.join(".") ?? null;

describe.each(types)("type $type", ({ type, whole }) => {
  test("takes all that goes with it, and null for what doesn't", () => {
    expect(contentProblem({ type, ...whole })).toBeNull();
    const nothing = Object.fromEntries(CONTENT_FIELDS.map((field) => [field, null]));
    expect(contentProblem({ type, ...nothing, ...whole })).toBeNull();
  });

  test.each(CONTENT_FIELDS)("refuses %s where it isn't of the type", (field) => {
    const all = { type, ...whole, ...(whole[field] ? {} : { [field]: FIELDS[field] }) };
    expect(contentProblem(all)).toEqual(
      whole[field] ? null : { path: [field], message: `can't be given with type ${type}` },
    );
  });
});

test.each([
  ["text", "text"],
  ["image", "media"],
  ["audio", "media"],
  ["video", "media"],
  ["document", "media"],
  ["sticker", "media"],
  ["template", "template"],
  ["interactive", "interactive"],
  ["reaction", "reaction"],
  ["location", "location"],
  ["contacts", "contacts"],
] as const)("type %s needs %s", (type, field) => {
  const problem = { path: [field], message: `is required for type ${type}` };
  expect(contentProblem({ type })).toEqual(problem);
  expect(contentProblem({ type, [field]: null })).toEqual(problem);
});

test.each(["image", "video", "document"] as const)("type %s needs no caption", (type) => {
  expect(contentProblem({ type, media })).toBeNull();
});

describe("a text", () => {
  const bodyOf = (body: string) => pathOf({ type: "text", text: { body } });

  test.each(["", " ", "\n\t", "\u200b\u2060"])("of %j is blank", (body) => {
    expect(bodyOf(body)).toBe("text.body");
  });

  test("longer than a caption is a text", () => {
    expect(bodyOf("a".repeat(4096))).toBeNull();
  });
});

describe.each(["image", "video", "document"] as const)("the caption of type %s", (type) => {
  const captionOf = (body: string) => pathOf({ type, media, text: { body } });

  test("has at most 1024 code points", () => {
    expect(captionOf("👋".repeat(1024))).toBeNull();
    expect(captionOf("👋".repeat(1025))).toBe("text.body");
  });

  test("may be empty", () => {
    expect(captionOf("")).toBeNull();
  });
});

describe("media", () => {
  test("comes from an upload, an address, or both", () => {
    for (const source of [
      { storage_key: "a" },
      { url: "https://example.com/" },
      { storage_key: "a", url: "b" },
    ]) {
      expect(contentProblem({ type: "image", media: source })).toBeNull();
    }
  });

  test.each([{}, { storage_key: null, url: null }])("from nowhere, %j, is refused", (source) => {
    expect(pathOf({ type: "image", media: source })).toBe("media.storage_key");
  });
});

describe("a template", () => {
  const id = "01890a5d-ac96-774b-bcce-b302099a8057";

  test.each([
    { template_submission_id: id },
    { name: "order", language: "en_US" },
    { template_submission_id: id, name: "order" },
    { template_submission_id: id, language: "en_US" },
    { template_submission_id: id, name: "order", language: "en_US" },
  ])("can be named by %j", (named) => {
    expect(contentProblem({ type: "template", template: named })).toBeNull();
  });

  test.each([
    [{}, "template.template_submission_id"],
    [{ template_submission_id: null }, "template.template_submission_id"],
    [{ name: "order" }, "template.language"],
    [{ name: "order", language: null }, "template.language"],
    [{ language: "en_US" }, "template.name"],
  ])("can't be named by %j", (named, path) => {
    expect(pathOf({ type: "template", template: named })).toBe(path);
  });
});
