import { describe, expect, test } from "vitest";
import { validationError } from "@/server/core/input/parse-input";
import { sendMessageInput } from "./send-request";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";
const base = { client_message_id: "a", thread_id: ID };

/** Returns the field that an error names; null for an accepted body. */
function fieldOf(body: Readonly<Record<string, unknown>>): string | null {
  const { error } = sendMessageInput.safeParse({ ...base, ...body });
  return error ? (validationError(error).field ?? "") : null;
}

const media = (changes: Readonly<Record<string, unknown>>) =>
  fieldOf({ type: "document", media: { storage_key: "a", ...changes } });
const template = (changes: Readonly<Record<string, unknown>>) =>
  fieldOf({ type: "template", template: { template_submission_id: ID, ...changes } });

describe("media", () => {
  test("takes text in each of its fields, and null for absent", () => {
    expect(media({ url: "", filename: "a.pdf", mime_type: "" })).toBeNull();
    expect(media({ url: null, filename: null, mime_type: null })).toBeNull();
  });

  test.each(["storage_key", "url", "filename", "mime_type"])("takes nothing but text as %s", (name) => {
    for (const value of [1, true, ["a"], { a: 1 }]) expect(media({ [name]: value })).toBe(`media.${name}`);
  });

  test.each(["image", "audio", "video", "document"])("takes a filename with type %s", (type) => {
    expect(fieldOf({ type, media: { url: "https://8.8.8.8/", filename: "a.pdf" } })).toBeNull();
    expect(fieldOf({ type, media: { url: "https://8.8.8.8/", filename: " " } })).toBe("media.filename");
  });

  test("takes a filename of 1 to 240 code points", () => {
    expect(media({ filename: "👋".repeat(240) })).toBeNull();
    expect(media({ filename: "👋".repeat(241) })).toBe("media.filename");
    expect(media({ filename: "" })).toBe("media.filename");
    expect(media({ filename: " " })).toBe("media.filename");
  });

  test.each(["id", "link", "caption"])("doesn't know the field %s", (name) => {
    expect(media({ [name]: "a" })).toBe(`media.${name}`);
  });

  test.each(["a", [], 1])("isn't %j", (value) => {
    expect(fieldOf({ type: "image", media: value })).toBe("media");
  });
});

describe("template", () => {
  test("takes text in each of its fields, and null for absent", () => {
    expect(template({ name: "", language: "en", variables: { "1": "a", x: "y" } })).toBeNull();
    expect(template({ name: null, language: null, variables: null })).toBeNull();
    expect(template({ variables: { "1": null } })).toBeNull();
  });

  test.each(["name", "language"])("takes nothing but text as %s", (name) => {
    for (const value of [1, true, ["a"], {}]) expect(template({ [name]: value })).toBe(`template.${name}`);
  });

  test.each(["not-a-uuid", "", 7])("takes no id like %j", (id) => {
    expect(template({ template_submission_id: id })).toBe("template.template_submission_id");
  });

  test.each([1, true, ["a"], {}])("takes nothing like %j as a value", (value) => {
    expect(template({ variables: { "1": value } })).toBe("template.variables.1");
  });

  test.each(["a", ["a"], 1])("takes nothing like %j as variables", (value) => {
    expect(template({ variables: value })).toBe("template.variables");
  });

  test.each([
    ["", "must not be blank"],
    [" ", "must not be blank"],
    ["\u00a0\u200b", "must not be blank"],
    ["\n", "must not be blank"],
    ["a\nb", "must not contain a line break"],
    ["a\r\nb", "must not contain a line break"],
    ["a\vb", "must not contain a line break"],
    ["a\fb", "must not contain a line break"],
    ["a\u0085b", "must not contain a line break"],
    ["a\u2028b", "must not contain a line break"],
    ["a\u2029b", "must not contain a line break"],
    ["a\tb", "must not contain a tab"],
    ["a     b", "must not contain more than four spaces in a row"],
  ])("takes no value %j: it %s", (value, words) => {
    for (const name of ["1", "name", "header.url", "button.0.1"]) {
      const body = {
        ...base,
        type: "template",
        template: { template_submission_id: ID, variables: { first: "a", [name]: value } },
      };
      const field = `template.variables.${name}`;
      expect(validationError(sendMessageInput.safeParse(body).error)).toMatchObject({
        field,
        message: `\`${field}\` ${words}.`,
      });
    }
  });

  test("takes values with four spaces in a row, with other blanks, and of 4096 characters", () => {
    for (const value of ["a    b    c", "👋".repeat(4096), `a${"\u00a0".repeat(9)}`, "\u200b."])
      expect(template({ variables: { "1": value } })).toBeNull();
  });

  test.each(["en", "fil", "en_US", "zh_Hant", "prs_AF"])("takes the language %s", (language) => {
    expect(template({ language })).toBeNull();
  });

  test.each([
    "",
    "e",
    "english",
    "EN",
    "en-US",
    "en_us",
    "en_USA",
    "en_Latin",
    "zh_hant",
    "en_US ",
    "en_US\n",
  ])("takes no language %j", (language) => {
    expect(template({ language })).toBe("template.language");
    expect(template({ template_submission_id: null, name: "order", language })).toBe("template.language");
  });

  test("doesn't know other fields", () => {
    expect(template({ components: [] })).toBe("template.components");
  });
});

test("the rules for what goes with what are told with the field's name in front", () => {
  const { error } = sendMessageInput.safeParse({
    ...base,
    type: "audio",
    media: { url: "a" },
    text: { body: "a" },
  });
  expect(validationError(error)).toMatchObject({
    field: "text",
    message: "`text` can't be given with type audio.",
  });
});

test("the destination is told before the content", () => {
  expect(fieldOf({ type: "text", thread_id: null })).toBe("to");
});
