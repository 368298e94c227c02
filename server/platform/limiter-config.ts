import { z } from "zod";

/** The store of the rate-limit counters. */
export type LimiterConfig =
  | { readonly kind: "postgres" }
  | { readonly kind: "upstash"; readonly url: string; readonly token: string }
  | { readonly kind: "redis"; readonly url: string };

/** The variables that choose the store of the rate-limit counters. */
export const LIMITER_VARIABLES = {
  REDIS_URL: {
    schema: z.url({ protocol: /^rediss?$/ }).optional(),
    expected: "a redis:// or rediss:// address",
    purpose:
      "Redis or Valkey server that counts the usage of each key instead of PostgreSQL. The limits are then approximate",
  },
  UPSTASH_REDIS_REST_URL: {
    schema: z.url({ protocol: /^https?$/ }).optional(),
    expected: "the http(s) address of an Upstash Redis database's REST API",
    purpose:
      "Upstash Redis database that counts the usage of each key instead of PostgreSQL. The limits are then approximate",
  },
  UPSTASH_REDIS_REST_TOKEN: {
    // Values that an HTTP header can carry.
    schema: z
      .string()
      .regex(/^[\x21-\x7e]+$/)
      .optional(),
    expected: "the token of that REST API, whose characters are printable ASCII without spaces",
    purpose: "Token of the Upstash Redis REST API. A read-only token is not sufficient",
  },
} as const satisfies Record<string, { schema: z.ZodType; expected: string; purpose: string }>;

type Variables = {
  readonly [N in keyof typeof LIMITER_VARIABLES]: z.output<(typeof LIMITER_VARIABLES)[N]["schema"]>;
};

export function limiterConfig(v: Variables): LimiterConfig {
  const { REDIS_URL: redisUrl, UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = v;
  if (redisUrl !== undefined) return { kind: "redis", url: redisUrl };
  return url !== undefined && token !== undefined ? { kind: "upstash", url, token } : { kind: "postgres" };
}

/** Describes contradictions between variables, one line each. */
export function limiterContradictions(v: Variables): readonly string[] {
  const { REDIS_URL: redisUrl, UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = v;
  if (redisUrl !== undefined && (url !== undefined || token !== undefined)) {
    return ["REDIS_URL must be absent where UPSTASH_REDIS_REST_URL or UPSTASH_REDIS_REST_TOKEN is set"];
  }
  if ((url === undefined) === (token === undefined)) return [];
  const [given, missing] =
    token === undefined
      ? (["UPSTASH_REDIS_REST_URL", "UPSTASH_REDIS_REST_TOKEN"] as const)
      : (["UPSTASH_REDIS_REST_TOKEN", "UPSTASH_REDIS_REST_URL"] as const);
  return [`${missing} must be ${LIMITER_VARIABLES[missing].expected}, because ${given} is set`];
}
