import { expect, test } from "vitest";
import { z } from "zod";
import { PUBLIC_CODES } from "@/server/platform/errors";
import { missingStep } from "@/server/testing";
import { appRouter } from "@/server/edge/trpc/router";
import { proceduresWithInputs } from "./check-inputs";
import { openApiDocument } from "./document";
import { publicRoutes } from "./routes";

const documentedRoutes = () =>
  Object.entries(Object(openApiDocument(appRouter).paths)).flatMap(([path, methods]) =>
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

test("the body of each successful response has a schema with a name", () => {
  const bare = documentedRoutes().filter(({ route }) => {
    const [status, response] =
      Object.entries(Object(route.responses)).find(([code]) => code.startsWith("2")) ?? [];
    const schema = Object(response).content?.["application/json"]?.schema;
    return status !== "204" && schema?.$ref === undefined;
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
  const loose = Object.entries(proceduresWithInputs(appRouter)).flatMap(([name, { _def }]) =>
    _def.meta?.openapi ? (_def.inputs ?? []).flatMap((input) => looseObjects(input, name)) : [],
  );
  expect(loose, missingStep("Verb")).toEqual([]);
});

/** Returns the paths of objects in a schema that drop unknown fields. */
function looseObjects(schema: unknown, path: string): readonly string[] {
  if (schema instanceof z.ZodObject) {
    const below = Object.entries(schema.shape).flatMap(([name, member]) =>
      looseObjects(member, `${path}.${name}`),
    );
    return schema.def.catchall instanceof z.ZodNever ? below : [path, ...below];
  }
  if (schema instanceof z.ZodArray) return looseObjects(schema.element, `${path}[]`);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional)
    return looseObjects(schema.unwrap(), path);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => looseObjects(option, path));
  return [];
}
