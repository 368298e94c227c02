import type { Json } from "./document-schemas";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** Fields whose values a reader of the collection sets once, as variables. */
const VARIABLES: readonly { readonly key: string; readonly value: string; readonly description: string }[] = [
  { key: "api_key", value: "", description: "An API key of your organization" },
  { key: "handle", value: "4915112345678", description: "The customer's number, without the plus sign" },
];

/**
 * Converts the OpenAPI document to a Postman collection (v2.1): a folder for each tag, a request for each example of a
 * body, and the address and the key as variables. Each sent message gets an id of its own.
 * @param document with an absolute or a relative address of the API
 */
export function postmanCollection(document: Json): Json {
  const { info, servers, tags, paths } = asOpenApi(document);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return {
    info: { name: info.title, description: info.description, version: info.version, schema: SCHEMA },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{api_key}}", type: "string" }] },
    variable: [{ key: "base_url", value: servers[0]?.url ?? "" }, ...VARIABLES],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: operations.filter(({ operation }) => operation.tags.includes(name)).flatMap(requestsOf),
    })),
  };
}

interface DescribedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** A request for each example of a body; one without a body needs none. */
function requestsOf({ path, method, operation }: DescribedOperation): readonly Json[] {
  const { summary, description, parameters = [], requestBody } = operation;
  const [type = "", content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const headers = parameters.filter((one) => one.in === "header").map(disabled);
  const request = (body?: Json) => ({
    method,
    description,
    url: urlOf(path, parameters),
    header: [...(body ? [{ key: "Content-Type", value: type }] : []), ...headers],
    ...(body ? { body } : {}),
  });
  if (content === undefined) return [{ name: summary, request: request() }];
  if (type !== "application/json") return [{ name: summary, request: request({ mode: "file", file: {} }) }];
  const examples = Object.values(content.examples ?? { only: { summary: "", value: {} } });
  return examples.map((example) => ({
    name: examples.length > 1 ? `${summary}: ${example.summary}` : summary,
    request: request(jsonBody(example.value)),
  }));
}

function jsonBody(value: unknown): Json {
  const raw = JSON.stringify(
    value,
    (name, part: unknown) => {
      if (name === "client_message_id") return "{{$guid}}";
      return name === "handle" ? "{{handle}}" : part;
    },
    2,
  );
  return { mode: "raw", raw, options: { raw: { language: "json" } } };
}

function urlOf(path: string, parameters: readonly Parameter[]): Json {
  const parts = path.split("/").filter(Boolean).map(variableOf);
  const query = parameters.filter((one) => one.in === "query").map(disabled);
  return {
    raw: ["{{base_url}}", ...parts].join("/"),
    host: ["{{base_url}}"],
    path: parts,
    ...(query.length > 0 ? { query } : {}),
    variable: parameters.filter((one) => one.in === "path").map(entryOf),
  };
}

/** Converts `{id}` to `:id`. */
const variableOf = (part: string) => part.replace(/^\{(.+)\}$/, ":$1");

const entryOf = ({ name, description, schema }: Parameter) => ({
  key: name,
  value: "",
  description: description ?? schema.description ?? "",
});

/** An optional value is left out until its reader switches it on. */
const disabled = (parameter: Parameter) => ({ ...entryOf(parameter), disabled: true });

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description?: string;
  readonly schema: { readonly description?: string };
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        {
          readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
        }
      >
    >;
  };
}

interface OpenApi {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Guarantee: the document is what `openApiDocument` builds, which has these parts in this form. */
function asOpenApi(document: Json): OpenApi {
  return document as unknown as OpenApi;
}
