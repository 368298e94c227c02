import { expect, test } from "vitest";
import { z } from "zod";
import { type AppRouter, appRouter } from "@/server/edge/trpc/router";
import { procedure } from "@/server/core/procedure";
import { type ProcedureMeta, t } from "@/server/core/trpc";
import { checkInputs } from "./check-inputs";
import { proceduresOf, publicRoutes } from "./routes";

const META = {
  openapi: { method: "POST", path: "/things", operationId: "things", summary: "Thing", tags: ["Keys"] },
  capability: "authenticated",
  bucket: null,
  status: 200,
  statuses: [200],
  errors: [],
} satisfies ProcedureMeta;

/** Guarantee: the checks read `_def` of procedures only, which every tRPC router has. */
const asAppRouter = (router: object): AppRouter => router as AppRouter;

const routerWith = (input: z.ZodType, meta: Parameters<typeof procedure>[0] = META) =>
  asAppRouter(
    t.router({
      thing: procedure(meta)
        .input(input)
        .mutation(() => ({})),
    }),
  );

test("the program's own procedures pass, and each says who may call it", () => {
  expect(() => checkInputs(appRouter)).not.toThrow();
  expect(Object.keys(proceduresOf(appRouter)).length).toBeGreaterThan(5);
});

test.each([
  ["a number", z.object({ n: z.number() })],
  ["a boolean", z.object({ b: z.boolean() })],
  ["a date", z.object({ d: z.date() })],
  ["one that may be absent", z.object({ n: z.number().optional() })],
  ["one that may be null", z.object({ n: z.number().nullable() })],
  ["one with a default", z.object({ n: z.number().default(1) })],
  ["one within an object", z.object({ inner: z.object({ n: z.number() }) })],
  ["one within a list", z.object({ list: z.array(z.object({ n: z.number() })) })],
])("%s in an exposed input, which would be coerced, is refused at start-up", (_, input) => {
  expect(() => checkInputs(routerWith(input))).toThrow(/would coerce/);
});

test("what isn't coerced passes, and so does an input that no route exposes", () => {
  const safe = z.object({ n: z.number().readonly(), b: z.literal([true, false]), s: z.string() });
  expect(() => checkInputs(routerWith(safe))).not.toThrow();
  const { openapi: _, ...inside } = META;
  expect(() => checkInputs(routerWith(z.object({ n: z.number() }), inside))).not.toThrow();
});

test("a procedure without meta is refused at start-up", () => {
  const router = asAppRouter(t.router({ open: t.procedure.query(() => 1) }));
  expect(() => proceduresOf(router)).toThrow(/open has no meta/);
});

test("a path without parameters is never swallowed by one with", () => {
  const route = (path: `/${string}`) => ({
    ...META,
    openapi: { ...META.openapi, method: "GET" as const, path },
  });
  const router = asAppRouter(
    t.router({
      one: procedure(route("/things/{id}")).query(() => 1),
      all: procedure(route("/things/all")).query(() => 1),
    }),
  );
  const found = publicRoutes(router).find((candidate) => candidate.matches("/things/all"));
  expect(found?.procedure).toBe("all");
  expect(publicRoutes(router).some((candidate) => candidate.matches("/things/a/b"))).toBe(false);
});
