import { z } from "zod";
import type { AppRouter } from "@/server/edge/trpc/router";

/**
 * trpc-openapi sets `coerce` on these in place, which also affects the tRPC caller: `"false"` becomes true, null
 * becomes 0.
 */
const COERCED = new Set(["number", "boolean", "bigint", "date"]);

/**
 * Refuses to start with an exposed input that trpc-openapi would coerce. Use `z.number().readonly()` and
 * `z.literal([true, false])` instead.
 */
export function checkInputs(router: AppRouter): void {
  for (const [name, procedure] of Object.entries(proceduresWithInputs(router))) {
    if (!procedure._def.meta?.openapi) continue;
    for (const input of procedure._def.inputs ?? []) {
      if (input instanceof z.core.$ZodType) refuseCoerced(input, name);
    }
  }
}

/** Guarantee: tRPC keeps meta and input parsers of a procedure in `_def`. Both are only read. */
export function proceduresWithInputs(router: AppRouter) {
  return router._def.procedures as unknown as Record<
    string,
    { _def: { meta?: { openapi?: unknown }; inputs?: readonly unknown[] } }
  >;
}

function refuseCoerced(schema: z.core.$ZodType, path: string): void {
  if (COERCED.has(schema._zod.def.type)) {
    throw new Error(`${path} is a bare ${schema._zod.def.type}, which the public API would coerce`);
  }
  if (schema instanceof z.ZodObject) {
    for (const [name, member] of Object.entries<z.core.$ZodType>(schema.shape))
      refuseCoerced(member, `${path}.${name}`);
  } else if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  ) {
    refuseCoerced(schema.unwrap(), path);
  } else if (schema instanceof z.ZodArray) {
    refuseCoerced(schema.element, `${path}[]`);
  }
}
