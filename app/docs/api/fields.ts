import { type ApiDocument, nameOf, type Parameter, resolve, type Schema } from "./document";

export interface Field {
  /** Path from the object, such as `from.handle` or `attempts[].number`. */
  readonly name: string;
  readonly type: string;
  /** The objects that describe the value further. If there are several, it is one of them. */
  readonly objects: readonly string[];
  readonly isRequired: boolean;
  readonly description: string;
}

interface Options {
  readonly document: ApiDocument;
  /** The objects that have a section of their own: their fields aren't repeated. */
  readonly objects: ReadonlySet<string>;
}

/** Returns the fields of an object, and of the objects in it. */
export function fieldsOf(schema: Schema, options: Options, prefix = ""): readonly Field[] {
  const { properties = {}, required = [] } = resolve(schema, options.document);
  return Object.entries(properties).flatMap(([property, value]) =>
    fieldOf(prefix + property, value, required.includes(property), options),
  );
}

function fieldOf(name: string, value: Schema, isRequired: boolean, options: Options): readonly Field[] {
  const { document } = options;
  const { schema, isNullable } = withoutNull(resolve(value, document), document);
  const item = schema.items && withoutNull(resolve(schema.items, document), document).schema;
  const objects = objectsOf([value, ...(value.anyOf ?? []), ...(schema.oneOf ?? []), schema.items], options);
  const field = {
    name,
    type: typeOf(schema, document) + (isNullable ? " or null" : ""),
    objects,
    isRequired,
    description: descriptionOf(value, schema),
  };
  if (objects.length > 0) return [field];
  return [field, ...fieldsOf(item ?? schema, options, item ? `${name}[].` : `${name}.`)];
}

/** Returns the names of the objects with sections among schemas. */
function objectsOf(schemas: readonly (Schema | undefined)[], { objects }: Options): readonly string[] {
  const names = schemas.map((schema) => schema && nameOf(schema));
  return [...new Set(names)].filter((name) => typeof name === "string").filter((name) => objects.has(name));
}

/** Returns the schema of a value that isn't null. */
export function withoutNull(schema: Schema, document: ApiDocument): { schema: Schema; isNullable: boolean } {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) {
    const types = type.filter((one) => one !== "null");
    return { schema: { ...rest, type: types[0] ?? "null" }, isNullable: types.length < type.length };
  }
  const others = anyOf?.filter((one) => one.type !== "null") ?? [];
  const [only] = others;
  if (anyOf === undefined || only === undefined || others.length > 1) return { schema, isNullable: false };
  return { schema: { ...resolve(only, document), ...rest }, isNullable: others.length < anyOf.length };
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: "UUID",
  uri: "URL",
  "date-time": "time (RFC 3339)",
  binary: "bytes",
};

/** Describes the type of a value, in words. */
function typeOf(schema: Schema, document: ApiDocument): string {
  if (schema.const !== undefined) return `\`"${schema.const}"\``;
  if (schema.items)
    return `list of ${plural(withoutNull(resolve(schema.items, document), document).schema, document)}`;
  if (schema.oneOf) return "object";
  if (schema.format !== undefined && FORMATS[schema.format]) return FORMATS[schema.format] ?? "";
  if (isMap(schema)) return "object of strings by name";
  return String(schema.type ?? "any");
}

const isMap = ({ additionalProperties, properties }: Schema) =>
  typeof additionalProperties === "object" && properties === undefined && "anyOf" in additionalProperties;

function plural(schema: Schema, document: ApiDocument): string {
  const type = typeOf(schema, document);
  return type === "any" ? "values" : `${type}s`;
}

/** Returns the description, and what else limits the value, unless the description says it. */
function descriptionOf(value: Schema, schema: Schema): string {
  const text = value.description ?? schema.description ?? "";
  const limits = limitsOf(schema);
  return [
    text,
    valuesOf(schema, text),
    limits !== undefined && text.includes(limits) ? "" : limits,
    schema.default === undefined ? "" : `Default: \`${schema.default}\``,
  ]
    .filter((part) => part !== undefined && part !== "")
    .map(sentence)
    .join(" ");
}

const sentence = (text: string | undefined = "") => (/[.:]$/.test(text) ? text : `${text}.`);

function valuesOf(schema: Schema, text: string): string {
  const values = schema.enum ?? schema["x-extensible-enum"] ?? schema.items?.enum ?? [];
  const named = values.map((value) => `\`${String(value)}\``);
  return named.every((name) => text.includes(name)) ? "" : `Values: ${named.join(", ")}`;
}

function limitsOf({
  minLength,
  maxLength,
  minItems,
  maxItems,
  minimum,
  maximum,
}: Schema): string | undefined {
  return (
    range(minLength, maxLength, "characters") ??
    range(minItems, maxItems, "entries") ??
    range(minimum, maximum, "")
  );
}

function range(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const suffix = unit && ` ${unit}`;
  if (max !== undefined && !min) return `At most ${max.toLocaleString("en")}${suffix}`;
  if (max !== undefined) return `${min} to ${max.toLocaleString("en")}${suffix}`;
  return min === undefined || min <= 1 ? undefined : `At least ${min}${suffix}`;
}

/** Returns the parameters of an operation. */
export function parametersOf(parameters: readonly Parameter[], document: ApiDocument): readonly Field[] {
  const options = { document, objects: new Set<string>() };
  return parameters.flatMap(({ name, in: place, required = false, schema, description }) => {
    const [field] = fieldOf(name, { description, ...schema }, required, options);
    return field ? [{ ...field, type: `${field.type}, in the ${place}` }] : [];
  });
}
