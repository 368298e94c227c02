import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import ts from "typescript";
import { expect, test } from "vitest";
import { openApiDocument } from "@/server/edge/public/document";
import { appRouter } from "@/server/edge/trpc/router";
import { missingStep } from "@/server/testing";
import { OPERATIONS, type Proof, PROOFS } from "./operations.js";

const HEAD = `/**
 * Types of the API, generated from its OpenAPI document. Don't edit this file: after a change of the API, write it anew
 * with \`npm test -- server/client/openapi.test.ts -u\`.
 */
`;

const USED = new Set(["components", "operations"]);

/** Guarantee: `openApiDocument` returns an OpenAPI 3.1 document. */
const documentOf = (): OpenAPI3 => openApiDocument(appRouter, null) as unknown as OpenAPI3;

/** Keeps of each operation what the client's types need: its parameters. */
function operationsOf({ paths = {} }: OpenAPI3): OpenAPI3["paths"] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(
        Object.entries(methods).map(([method, { operationId, parameters }]) => [
          method,
          { operationId, parameters, responses: {} },
        ]),
      ),
    ]),
  );
}

/** An enumeration that can grow: its values are known, and others are possible. */
function extensible(values: readonly string[], isNullable: boolean): ts.TypeNode {
  const { factory } = ts;
  const literals = values.map((value) => factory.createLiteralTypeNode(factory.createStringLiteral(value)));
  const never = factory.createKeywordTypeNode(ts.SyntaxKind.NeverKeyword);
  const other = factory.createIntersectionTypeNode([
    factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
    factory.createTypeReferenceNode("Record", [never, never]),
  ]);
  const none = isNullable ? [factory.createLiteralTypeNode(factory.createNull())] : [];
  return factory.createUnionTypeNode([...literals, factory.createParenthesizedType(other), ...none]);
}

test("the types of the client are those of the OpenAPI document", async () => {
  const document = documentOf();
  const { openapi, info, components = {} } = document;
  const described = { openapi, info, paths: operationsOf(document), components };
  const nodes = await openapiTS(described, {
    transform(schema) {
      const values: unknown = Object(schema)["x-extensible-enum"];
      if (!Array.isArray(values)) return undefined;
      return extensible(values, [Object(schema).type].flat().includes("null"));
    },
  });
  const used = nodes.filter((node) => ts.isInterfaceDeclaration(node) && USED.has(node.name.text));
  await expect(HEAD + astToString(used)).toMatchFileSnapshot("./openapi.ts", missingStep("Client"));
});

test("the client knows method and path of each operation", () => {
  const described = Object.entries(documentOf().paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => [
      operationId,
      { method: method.toUpperCase(), path },
    ]),
  );
  const known = Object.entries(OPERATIONS).map(([name, { method, path }]) => [name, { method, path }]);
  expect(Object.fromEntries(known), missingStep("Client")).toEqual(Object.fromEntries(described));
});

/** Members that each answer to an operation has, with texts. Those of an entry, if it is a page. */
function textsOf({ components = {} }: OpenAPI3, content: unknown): readonly string[] {
  const named = (schema: unknown) => {
    const { $ref = "" } = Object(schema);
    return Object(components.schemas)[$ref.split("/").at(-1)] ?? schema;
  };
  const { properties, required = [] } = named(Object(content)["application/json"]?.schema) ?? {};
  const { data } = Object(properties);
  const entry = data === undefined ? { properties, required } : named(data.items);
  return entry.required.filter((name: string) => Object(named(entry.properties[name])).type === "string");
}

interface Answer {
  readonly status: string;
  readonly texts: readonly string[];
  readonly isFile: boolean;
}

function isIn(proof: Proof, { status, texts, isFile }: Answer): boolean {
  if (proof === "no content") return status === "204";
  if (proof === "file") return isFile;
  return ("entries" in proof ? proof.entries : proof.members).every((name) => texts.includes(name));
}

test("what shows an answer to be Waypost's is in each successful answer, by the OpenAPI document", () => {
  const document = documentOf();
  const answers = Object.values(document.paths ?? {})
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ operationId, responses }) =>
      Object.entries<{ content?: unknown }>(responses).map(([status, { content }]) => ({
        operationId,
        status,
        isFile: "application/octet-stream" in Object(content),
        texts: "application/json" in Object(content) ? textsOf(document, content) : [],
      })),
    )
    .filter(({ status }) => status.startsWith("2"));
  expect(answers.length).toBeGreaterThanOrEqual(Object.keys(PROOFS).length);
  const unproven = answers.filter(({ operationId, ...answer }) => {
    const proof: Proof = Object(PROOFS)[operationId];
    return !isIn(proof, answer);
  });
  expect(unproven, missingStep("Client")).toEqual([]);
});
