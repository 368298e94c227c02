import { expect, test } from "vitest";
import { z } from "zod";
import { PUBLIC_CODES } from "@/server/platform/errors";
import { missingStep } from "@/server/testing";
import { appRouter } from "@/server/edge/trpc/router";
import { proceduresWithInputs } from "./check-inputs";
import { openApiDocument } from "./document";
import { publicRoutes } from "./routes";

const documentedRoutes = () =>
  Object.entries(Object(openApiDocument(appRouter, null).paths)).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).map(([method, route]) => ({
      name: `${method} ${path}`,
      route: Object(route),
    })),
  );

test("each route has a summary, and a tag that groups it", () => {
  const bare = documentedRoutes().filter(({ route }) => !route.summary || route.tags?.length !== 1);
  expect(
    bare.map(({ name }) => name),
    missingStep("Route"),
  ).toEqual([]);
});

test("the body of each successful response has a schema with a name, unless it is a file", () => {
  const bare = documentedRoutes().filter(({ route }) => {
    const [status, response] =
      Object.entries(Object(route.responses)).find(([code]) => code.startsWith("2")) ?? [];
    const { "application/json": json, "application/octet-stream": file } = Object(Object(response).content);
    return status !== "204" && file?.schema.format !== "binary" && json?.schema.$ref === undefined;
  });
  expect(
    bare.map(({ name }) => name),
    missingStep("Verb"),
  ).toEqual([]);
});

test("each parameter says what it is", () => {
  const bare = documentedRoutes().flatMap(({ name, route }) =>
    (route.parameters ?? [])
      .filter((parameter: { in: string }) => ["query", "path"].includes(parameter.in))
      .filter(
        (parameter: { description?: string; schema: { description?: string } }) =>
          (parameter.description ?? parameter.schema.description) === undefined,
      )
      .map((parameter: { name: string }) => `${name} ${parameter.name}`),
  );
  expect(bare, missingStep("Documentation")).toEqual([]);
});

test("each code of a route is one that programs can get", () => {
  const pageOnly = publicRoutes(appRouter).flatMap(({ procedure, meta }) =>
    meta.errors.filter((code) => !PUBLIC_CODES.includes(code)).map((code) => `${procedure} ${code}`),
  );
  expect(pageOnly, missingStep("Errors")).toEqual([]);
});

test("each route has a bucket; that of a new message is taken after its rules", () => {
  const free = publicRoutes(appRouter).filter(({ meta }) => meta.bucket === null);
  expect(
    free.map(({ procedure }) => procedure),
    missingStep("Route"),
  ).toEqual(["messages.send"]);
});

test("each input refuses a field that its schema doesn't name", () => {
  const exposed = Object.entries(proceduresWithInputs(appRouter)).filter(
    ([, { _def }]) => _def.meta?.openapi,
  );
  expect(exposed).toHaveLength(publicRoutes(appRouter).length);
  const loose = exposed.flatMap(([name, { _def }]) =>
    (_def.inputs ?? []).flatMap((input) => looseObjects(jsonSchemaOf(input), name)),
  );
  expect(loose, missingStep("Verb")).toEqual([]);
});

const jsonSchemaOf = (schema: unknown) =>
  schema instanceof z.core.$ZodType ? z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) : {};

/** Returns the paths of objects in a JSON schema that accept fields without a name in it. */
function looseObjects(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { type, additionalProperties } = { type: null, additionalProperties: null, ...schema };
  const own = type === "object" && additionalProperties === null ? [path] : [];
  return [...own, ...Object.entries(schema).flatMap(([name, part]) => looseObjects(part, `${path}.${name}`))];
}
