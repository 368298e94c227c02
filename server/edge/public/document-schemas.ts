import { z } from "zod";

export type Json = Record<string, unknown>;

/**
 * Returns the JSON Schema of a zod schema, and the schemas that it refers to, for the document's components.
 * @param io what it describes: a value to be parsed, or a parsed one.
 */
export function describeSchema(
  schema: z.ZodType,
  io: "input" | "output",
): { readonly schema: Json; readonly components: Json } {
  const described: Json = JSON.parse(
    JSON.stringify(z.toJSONSchema(schema, { io })).replaceAll('"#/$defs/', '"#/components/schemas/'),
  );
  const { $schema: _, $defs: components = {}, ...own } = described;
  return { schema: own, components: Object(components) };
}

/** Enumerations whose values never become more within a version of the API, or that only requests contain. */
const CLOSED = ["DeliveryState", "MessageDirection", "ResendAdvice", "WebhookEventType"];
const MORE_VALUES = "More values can be added.";

/**
 * Describes what Waypost sends: fields and values can be added, so that objects are open, and an enumeration names its
 * values without excluding others. A property that selects one of several schemas keeps its values.
 * @param components by name
 */
export function openForAdditions(components: Json): Json {
  const selectors = selectorsIn(components);
  const entries = Object.entries(components).map(([name, schema]) => {
    const closed = new Set([...CLOSED, ...(selectors.get(`#/components/schemas/${name}`) ?? [])]);
    return [name, mapSchema(schema, name, (one, property) => opened(one, closed.has(property)))] as const;
  });
  return Object.fromEntries(entries);
}

function opened({ additionalProperties, enum: values, ...rest }: Json, isClosed: boolean): Json {
  if (additionalProperties !== undefined && additionalProperties !== false)
    rest.additionalProperties = additionalProperties;
  if (values === undefined) return rest;
  if (isClosed || !Array.isArray(values)) return { ...rest, enum: values };
  const description = [sentence(rest.description), MORE_VALUES].filter(Boolean).join(" ");
  return { ...rest, description, "x-extensible-enum": values };
}

const sentence = (text: unknown) => (typeof text === "string" && !text.endsWith(".") ? `${text}.` : text);

/** Returns the properties by which discriminators select a schema, by its reference. */
function selectorsIn(part: unknown): ReadonlyMap<string, readonly string[]> {
  if (typeof part !== "object" || part === null) return new Map();
  const { discriminator } = { discriminator: null, ...part };
  const { propertyName, mapping } = Object(discriminator);
  const own = Object.values<string>(mapping ?? {}).map((ref): [string, string[]] => [ref, [propertyName]]);
  return new Map<string, readonly string[]>([
    ...own,
    ...Object.values(part).flatMap((inner) => [...selectorsIn(inner)]),
  ]);
}

/** Formats that a validator knows. A pattern beside one of them only confuses generators and readers. */
const KNOWN_FORMATS = new Set<unknown>(["date-time", "uuid"]);

/** Leaves out what says nothing: patterns of known formats and of numbers, and the limits of JavaScript's integers. */
export function withoutNoise(schema: unknown): unknown {
  return mapSchema(schema, "", (one) => {
    const isClear = KNOWN_FORMATS.has(one.format) || one.type === "integer";
    const clear = Object.entries(one).filter(
      ([keyword, value]) =>
        !(keyword === "pattern" && isClear) &&
        !(keyword === "minimum" && value === Number.MIN_SAFE_INTEGER) &&
        !(keyword === "maximum" && value === Number.MAX_SAFE_INTEGER),
    );
    return Object.fromEntries(clear);
  });
}

/** Changes every object of a document. `name` is the property that an object describes, or that contains the list of it. */
function mapSchema(value: unknown, name: string, change: (object: Json, name: string) => Json): unknown {
  if (Array.isArray(value)) return value.map((item) => mapSchema(item, name, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(change({ ...value }, name)).map(([key, part]) => {
    if (NOT_SCHEMAS.has(key)) return [key, part] as const;
    const inner = KEYWORDS.has(key) ? name : key;
    return [key, mapSchema(part, inner, change)] as const;
  });
  return Object.fromEntries(entries);
}

/** Keywords that contain schemas of the same property. */
const KEYWORDS = new Set(["anyOf", "oneOf", "allOf", "items", "schema", "properties"]);
/** Values of the API, whose own fields can have the name of a keyword. */
const NOT_SCHEMAS = new Set([
  "example",
  "examples",
  "const",
  "default",
  "enum",
  "x-extensible-enum",
  "required",
]);
