import { Ajv2020, type ValidateFunction } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import type { HttpAnswer } from "./http-call";

const DOCUMENT_ID = "openapi";
const REQUEST_ID = /^[\w-]{8,128}$/;

type Json = Readonly<Record<string, unknown>>;

/** The promises of the published OpenAPI document, as checks of responses. */
export interface Contract {
  readonly document: unknown;
  /**
   * @param path below the base path, without the query
   * @throws Error listing all differences between the response and the document: status, body, headers. A response on
   * an undocumented path or method must be a refusal in the envelope.
   */
  check(method: string, path: string, answer: HttpAnswer): void;
  /** @throws Error listing all differences between a webhook's body and the document's schema of its `type`. */
  checkEvent(event: Json): void;
  /** Operations of the document without any checked response. */
  unasked(): readonly string[];
}

/** Compiles the checks on demand; `document` is the parsed `/openapi.json`. */
export function createContract(document: unknown): Contract {
  const schemas = createSchemas(document);
  const paths = asJson(asJson(document).paths);
  const asked = new Set<string>();
  return {
    document,
    checkEvent(event) {
      const way = [
        "webhooks",
        String(event.type),
        "post",
        "requestBody",
        "content",
        "application/json",
        "schema",
      ];
      const isKnown = Object.keys(asJson(schemas.at(way))).length > 0;
      const found = isKnown ? schemas.problems(way, event) : ["the document has no such type"];
      if (found.length === 0) return;
      throw new Error(
        `An event broke the published contract:\n${found.join("\n")}\n${JSON.stringify(event)}`,
      );
    },
    unasked: () => operationsOf(paths).filter((operation) => !asked.has(operation)),
    check(method, path, answer) {
      asked.add(`${method.toLowerCase()} ${findPath(paths, path)}`);
      const found = [...problemsOfRequestId(answer), ...problemsOf({ schemas, paths, method, path, answer })];
      if (found.length === 0) return;
      throw new Error(
        `${method} ${path} broke the published contract:\n${found.join("\n")}\n${answer.status} ${answer.text}`,
      );
    },
  };
}

/** Checks values against schemas of the document, each named by its path. */
interface Schemas {
  at(way: readonly string[]): unknown;
  problems(way: readonly string[], value: unknown): readonly string[];
}

function createSchemas(document: unknown): Schemas {
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(asJson(strictly(document)), DOCUMENT_ID);
  const validators = new Map<string, ValidateFunction>();
  return {
    at: (way) => way.reduce<unknown>((parent, part) => asJson(parent)[part], document),
    problems(way, value) {
      const $ref = `${DOCUMENT_ID}#${way.map((part) => `/${escapePointer(part)}`).join("")}`;
      const validate = validators.get($ref) ?? ajv.compile({ $ref });
      validators.set($ref, validate);
      return validate(value) ? [] : [ajv.errorsText(validate.errors)];
    },
  };
}

/**
 * The document lets fields and values be added. What this version sends, it names: no further field of an object, and no
 * further value of an enumeration.
 */
function strictly(part: unknown, property = ""): unknown {
  if (Array.isArray(part)) return part.map((one) => strictly(one, property));
  if (typeof part !== "object" || part === null) return part;
  const { "x-extensible-enum": values, ...rest } = asJson(part);
  const strict = Object.fromEntries(
    Object.entries(rest).map(([name, member]) => [name, strictly(member, name)]),
  );
  const isClosed = typeof rest.properties === "object" && rest.additionalProperties === undefined;
  return {
    ...(isClosed ? { additionalProperties: false } : {}),
    // A code depends on the operation, and other routes share the envelope.
    ...(values === undefined || property === "code" ? {} : { enum: values }),
    ...strict,
  };
}

interface Exchange {
  readonly schemas: Schemas;
  readonly paths: Json;
  readonly method: string;
  readonly path: string;
  readonly answer: HttpAnswer;
}

function problemsOfRequestId({ headers }: HttpAnswer): readonly string[] {
  const id = headers["x-request-id"] ?? "";
  return REQUEST_ID.test(id) ? [] : [`X-Request-Id is "${id}"`];
}

function problemsOf({ schemas, paths, method, path, answer }: Exchange): readonly string[] {
  const isDocument = /^\/(openapi|postman)\.json$/.test(path) && answer.status === 200;
  // A response to HEAD has no body to check, and the documents don't describe themselves.
  if (method === "HEAD" || isDocument) return [];
  const template = findPath(paths, path) ?? "";
  const operation = asJson(paths[template])[method.toLowerCase()];
  if (operation === undefined) {
    const served = answer.status < 400 ? ["an undocumented path or method was served"] : [];
    return [...served, ...problemsOfBody(schemas, answer, ["components", "schemas", "ErrorEnvelope"])];
  }
  const status = String(answer.status);
  const way = ["paths", template, method.toLowerCase(), "responses", status];
  const response = asJson(schemas.at(way));
  if (Object.keys(response).length === 0) return [`status ${status} isn't documented`];
  // A file has the type of its bytes, and any bytes.
  const isFile = "application/octet-stream" in asJson(response.content);
  if (isFile) return problemsOfHeaders(schemas, answer, asJson(response.headers));
  return [
    ...(response.content === undefined
      ? problemsOfNoBody(answer)
      : problemsOfBody(schemas, answer, [...way, "content", "application/json", "schema"])),
    ...problemsOfCode(answer, asJson(asJson(response.content)["application/json"])),
    ...problemsOfHeaders(schemas, answer, asJson(response.headers)),
  ];
}

function problemsOfNoBody({ text }: HttpAnswer): readonly string[] {
  return text === "" ? [] : ["there is a body where none is documented"];
}

function problemsOfBody(schemas: Schemas, answer: HttpAnswer, way: readonly string[]): readonly string[] {
  const type = answer.headers["content-type"] ?? "";
  if (!type.startsWith("application/json")) return [`Content-Type is "${type}"`];
  try {
    return schemas.problems(way, JSON.parse(answer.text));
  } catch (error) {
    return [`the body can't be checked: ${String(error)}`];
  }
}

/** A refusal's code is one of those that have an example with the operation's status. */
function problemsOfCode({ status, text }: HttpAnswer, { examples }: Json): readonly string[] {
  if (status < 400) return [];
  const { code } = asJson(asJson(JSON.parse(text)).error);
  return String(code) in asJson(examples) ? [] : [`the code ${String(code)} isn't documented`];
}

function problemsOfHeaders(schemas: Schemas, answer: HttpAnswer, documented: Json): readonly string[] {
  return Object.entries(documented).flatMap(([name, entry]) => {
    const way = wayOf(entry);
    const header = asJson(schemas.at(way));
    const value = answer.headers[name.toLowerCase()];
    if (value === undefined) return header.required === true ? [`${name} is missing`] : [];
    const isInteger = asJson(header.schema).type === "integer";
    const wrong = schemas.problems([...way, "schema"], isInteger ? toInteger(value) : value);
    return wrong.map((problem) => `${name}: ${value}: ${problem}`);
  });
}

function operationsOf(paths: Json): readonly string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(asJson(item)).map((method) => `${method} ${path}`),
  );
}

/** Returns the document's template of a path; one without parameters wins. */
function findPath(paths: Json, path: string): string | undefined {
  const matching = Object.keys(paths).filter((template) => {
    const parts = template.split("/");
    const actual = path.split("/");
    return (
      parts.length === actual.length &&
      parts.every((part, index) => (part.startsWith("{") ? actual[index] !== "" : part === actual[index]))
    );
  });
  return matching.sort((a, b) => Number(a.includes("{")) - Number(b.includes("{")))[0];
}

/** @throws Error for a header without a reference: the document shares its headers. */
function wayOf(entry: unknown): readonly string[] {
  const reference = asJson(entry).$ref;
  if (typeof reference !== "string" || !reference.startsWith("#/")) throw new Error("A header without $ref");
  return reference.slice(2).split("/");
}

function toInteger(text: string): number | string {
  return /^-?[0-9]+$/.test(text) ? Number(text) : text;
}

function escapePointer(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}

/** Returns the value as an object; an empty one if it is none, so that lookups in it find nothing. */
export function asJson(value: unknown): Json {
  return typeof value === "object" && value !== null ? Object(value) : {};
}
