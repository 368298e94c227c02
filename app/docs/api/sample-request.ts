import { type SampleRequest, VALUE_TO_REPLACE } from "@/app/ui/request-samples";
import type { ApiDocument, ApiOperation, DescribedOperation, Schema } from "./document";
import { resolve } from "./document";
import { withoutNull } from "./fields";

const FILE = { name: "parcel.jpg", contentType: "image/jpeg" } as const;
/** Values of `state` that are worth a sample. */
const SHOWN_STATES = ["failed", "approved"] as const;

/** Returns a sample request of the operation. A JSON body is the first example of the document. */
export function sampleRequestOf({ operation, method, path }: DescribedOperation): SampleRequest {
  const { operationId, requestBody } = operation;
  const request = { operationId, method, path, ...queryOf(operation) };
  const [contentType, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (!content) return request;
  if (contentType !== "application/json") return { ...request, file: FILE };
  return { ...request, body: Object.values(content.examples ?? {})[0]?.value };
}

/** Returns a query that narrows a list down by state, if it can. */
function queryOf({ parameters = [] }: ApiOperation): Pick<SampleRequest, "query"> {
  const values = parameters.find(({ name }) => name === "state")?.schema;
  const state = SHOWN_STATES.find((one) => (values?.enum ?? SHOWN_STATES).includes(one));
  return values && state ? { query: { state } } : {};
}

/**
 * Returns a sample request to fill in: texts in its body are marked as examples, so that none is sent by mistake. Texts
 * that the API defines, such as types, are not.
 */
export function requestToFillIn(described: DescribedOperation, document: ApiDocument): SampleRequest {
  const request = sampleRequestOf(described);
  const schema = described.operation.requestBody?.content["application/json"]?.schema;
  return schema ? { ...request, body: marked(request.body, schema, document) } : request;
}

function marked(value: unknown, declared: Schema | undefined, document: ApiDocument): unknown {
  const schema = declared && withoutNull(resolve(declared, document), document).schema;
  if (typeof value === "string") return isDefined(schema) ? value : `${VALUE_TO_REPLACE}, such as ${value}>`;
  if (Array.isArray(value)) return value.map((one) => marked(one, schema?.items, document));
  if (typeof value !== "object" || value === null) return value;
  const { properties = {} } = variantOf(schema, value, document);
  const entries: [string, unknown][] = Object.entries(value);
  return Object.fromEntries(entries.map(([name, one]) => [name, marked(one, properties[name], document)]));
}

const isDefined = (schema: Schema = {}) =>
  schema.const !== undefined || schema.enum !== undefined || schema["x-extensible-enum"] !== undefined;

/** Returns the schema for the type of the value, if there is one for each type. */
function variantOf(schema: Schema = {}, value: object, document: ApiDocument): Schema {
  const { discriminator } = schema;
  if (!discriminator) return schema;
  const $ref = discriminator.mapping[String(Reflect.get(value, discriminator.propertyName))];
  return resolve({ $ref }, document);
}
