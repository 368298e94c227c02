import { describe, expect, test } from "vitest";
import { z } from "zod";
import { validationError } from "./parse-input";

const schema = z.strictObject({
  name: z.string(),
  to: z.strictObject({ handle: z.string().regex(/^\d+$/) }).optional(),
  list: z.array(z.string()).optional(),
  variables: z.record(z.string(), z.string()).optional(),
  order: z.enum(["newest", "oldest", "any"]).optional(),
  include: z.literal("payload").optional(),
  enabled: z.literal([true, false]).optional(),
  hidden: z.boolean().optional(),
  content: z
    .discriminatedUnion("type", [
      z.object({ type: z.literal("text"), body: z.string() }),
      z.object({ type: z.literal("image"), at: z.iso.datetime({ error: "must be a time" }) }),
    ])
    .optional(),
});

function error(input: unknown) {
  const parsed = schema.safeParse(input);
  if (parsed.success) throw new Error("The input is valid");
  return validationError(parsed.error, input);
}

describe("a validation error", () => {
  test.each([
    [{ name: 1 }, "name"],
    [{}, "name"],
    [{ name: "a", to: { handle: "x" } }, "to.handle"],
    [{ name: "a", list: ["b", 3] }, "list.1"],
    [{ name: "a", colour: "red" }, "colour"],
    [{ name: "a", to: { handle: "1", extra: 1 } }, "to.extra"],
  ])("of %j names the field %s", (input, field) => {
    expect(error(input)).toMatchObject({ code: "validation_failed", field });
    expect(error(input).message).toContain(field);
  });

  test.each([
    [{ name: 1 }, "`name` must be a string, not a number."],
    [{ name: null }, "`name` must be a string, not null."],
    [{ name: "a", to: [] }, "`to` must be an object, not an array."],
    [{ name: "a", variables: ["b"] }, "`variables` must be an object, not an array."],
    [{ name: "a", list: {} }, "`list` must be an array, not an object."],
    [{ name: "a", order: "asc" }, "`order` must be one of newest, oldest or any."],
    [{ name: "a", order: null }, "`order` must be one of newest, oldest or any."],
    [{ name: "a", include: "all" }, '`include` must be "payload".'],
    [{ name: "a", enabled: "no" }, "`enabled` must be true or false."],
    [{ name: "a", hidden: "no" }, "`hidden` must be true or false, not a string."],
    [{ name: "a", content: { type: "video" } }, "`content.type` must be one of text or image."],
  ])("of %j says what the field must be, in JSON's words", (input, message) => {
    expect(error(input).message).toBe(message);
  });

  test.each([
    [{}, "`name` is required."],
    [{ name: "a", content: {} }, "`content.type` is required."],
    [{ name: "a", content: { type: "text" } }, "`content.body` is required."],
    [{ name: "a", content: { type: "image" } }, "`content.at` is required."],
    [{ name: "a", content: { type: "image", at: "now" } }, "`content.at` must be a time."],
  ])("of %j says that a field is missing, whatever else it must be", (input, message) => {
    expect(error(input).message).toBe(message);
  });

  test("names every other field at fault too, each once", () => {
    const { field, others } = error({ name: 1, to: { handle: "x" }, list: ["b", 3, 4], colour: "red" });
    expect([field, ...others.map((other) => other.field)]).toEqual([
      "name",
      "to.handle",
      "list.1",
      "list.2",
      "colour",
    ]);
    expect(others[1]?.message).toBe("`list.1` must be a string, not a number.");
    expect(error({ name: "a", list: Array.from({ length: 1_000 }, () => 1) }).others).toHaveLength(20);
  });

  test("of the whole input names no field", () => {
    expect(error(null).field).toBeUndefined();
  });

  test("stays short, however long the field's name that was sent", () => {
    const { field = "", message } = error({ name: "a", ["x".repeat(10_000)]: 1 });
    expect(field.length).toBeLessThanOrEqual(200);
    expect(message.length).toBeLessThanOrEqual(300);
  });

  test("of anything else tells nothing of it", () => {
    expect(validationError(new Error("internal")).message).not.toContain("internal");
  });
});
