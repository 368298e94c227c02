import { getRuntime } from "@/app/runtime";

/** The parts of the OpenAPI document that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: WebhookOperation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, { readonly description: string }>>;
    readonly examples: Readonly<Record<string, { readonly value: ErrorExample }>>;
  };
}

interface ErrorExample {
  readonly error: { readonly message: string };
}

export interface ApiOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly description?: string;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<string, Answer>>;
  readonly "x-error-codes": readonly string[];
}

interface WebhookOperation {
  readonly summary: string;
  readonly description: string;
  readonly requestBody: { readonly content: Readonly<Record<string, Content>> };
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Answer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
  readonly additionalProperties?: boolean | Schema;
  readonly const?: string;
  readonly enum?: readonly unknown[];
  readonly "x-extensible-enum"?: readonly unknown[];
  readonly default?: string | number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

const DOCUMENT_PATH = "/api/public/v1/openapi.json";

let last: { readonly text: string; readonly document: ApiDocument } | undefined;

/** Returns the document that this process publishes. It is parsed again when it has changed. */
export async function apiDocument(): Promise<ApiDocument> {
  const { publicApi } = await getRuntime();
  const response = await publicApi.fetch(new Request(new URL(DOCUMENT_PATH, "http://localhost")));
  if (!response.ok) throw new Error(`The OpenAPI document answered ${response.status}`);
  const text = await response.text();
  if (last?.text !== text) last = { text, document: asApiDocument(JSON.parse(text)) };
  return last.document;
}

/** Guarantee: server/edge/public/document-shape.test.ts checks these parts of the document. */
function asApiDocument(document: unknown): ApiDocument {
  return document as ApiDocument;
}

/** Returns the operations of the document, in its order. */
export function operationsOf({ paths }: ApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  );
}

export type DescribedOperation = ReturnType<typeof operationsOf>[number];

/** Returns the name of the schema that a reference leads to. Null if it is none. */
export function nameOf({ $ref }: Schema): string | null {
  return $ref?.replace("#/components/schemas/", "") ?? null;
}

/** Returns the schema that a reference leads to, with what is said beside the reference; or the schema itself. */
export function resolve(schema: Schema, { components }: ApiDocument): Schema {
  const { $ref, ...beside } = schema;
  const name = nameOf({ $ref });
  return name === null ? schema : { ...components.schemas[name], ...beside };
}
