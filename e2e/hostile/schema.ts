import fc from "fast-check";
import { asJson } from "@/e2e/support/contract";
import { anyText } from "./nasty";

/** Returns a schema of the document with each component in the place of its reference. None contains itself. */
export function withoutReferences(document: unknown, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((part) => withoutReferences(document, part));
  if (typeof schema !== "object" || schema === null) return schema;
  const { $ref, ...own } = asJson(schema);
  if (typeof $ref !== "string")
    return Object.fromEntries(
      Object.entries(own).map(([name, part]) => [name, withoutReferences(document, part)]),
    );
  const way = $ref.replace("#/", "").split("/");
  return withoutReferences(
    document,
    way.reduce<unknown>((parent, part) => asJson(parent)[part], document),
  );
}

type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/**
 * Generates values that match a schema of the OpenAPI document. Unspecified text is random.
 * @param known values with a meaning for this server, by field name, mixed in.
 * @throws Error for an unsupported kind of schema.
 */
export function valuesOf(schema: unknown, known: Known): fc.Arbitrary<unknown> {
  const { type, enum: values, const: only, anyOf, oneOf } = asJson(schema);
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(values)) return fc.constantFrom<unknown[]>(...values);
  const choices = anyOf ?? oneOf;
  if (Array.isArray(choices)) return fc.oneof(...choices.map((choice) => valuesOf(choice, known)));
  if (Array.isArray(type))
    return fc.oneof(...type.map((one) => valuesOf({ ...asJson(schema), type: one }, known)));
  const kind = typeof type === "string" ? KINDS[type] : undefined;
  if (!kind) throw new Error(`A schema that no values can be made of: ${JSON.stringify(schema)}`);
  return kind(asJson(schema), known);
}

const KINDS: Readonly<
  Record<string, (schema: ReturnType<typeof asJson>, known: Known) => fc.Arbitrary<unknown>>
> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum, maximum }) =>
    fc.integer({ min: numberOr(minimum, -1e6), max: numberOr(maximum, 1e6) }),
  number: ({ minimum, maximum }) =>
    fc.double({ min: numberOr(minimum, -1e6), max: numberOr(maximum, 1e6), noNaN: true }),
  string: textsOf,
  array: ({ items }, known) => fc.array(valuesOf(items, known), { maxLength: 4 }),
  object: objectsOf,
};

const FORMATS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  uuid: fc.uuid(),
  "date-time": fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  uri: fc.webUrl({ withQueryParameters: true }).map((url) => url.replace(/^http:/, "https:")),
};

const LENGTH_MAX = 300;

function textsOf({ format, pattern, minLength, maxLength }: ReturnType<typeof asJson>): fc.Arbitrary<string> {
  const ofFormat = typeof format === "string" ? FORMATS[format] : undefined;
  if (ofFormat) return ofFormat;
  if (typeof pattern === "string") return fc.stringMatching(new RegExp(pattern));
  const max = Math.min(numberOr(maxLength, LENGTH_MAX), LENGTH_MAX);
  return anyText(max).map((text) => (text === "" && numberOr(minLength, 0) > 0 ? "a" : text));
}

function objectsOf(schema: ReturnType<typeof asJson>, known: Known): fc.Arbitrary<unknown> {
  const { properties, required, additionalProperties } = schema;
  const members = Object.entries(asJson(properties)).map(([name, member]) => {
    const random = valuesOf(member, known);
    const meant = known[name];
    return [name, meant ? fc.oneof({ weight: 3, arbitrary: meant }, random) : random] as const;
  });
  const requiredKeys: string[] = Array.isArray(required) ? required.map(String) : [];
  if (members.length > 0)
    return fc.record(Object.fromEntries(members), { requiredKeys, noNullPrototype: true });
  const isMap = typeof additionalProperties === "object" && additionalProperties !== null;
  return isMap
    ? fc.dictionary(anyText(10), valuesOf(additionalProperties, known), { maxKeys: 5, noNullPrototype: true })
    : fc.constant({});
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
