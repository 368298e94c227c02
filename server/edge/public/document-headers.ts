import type { Json } from "./document-schemas";

const EVERYWHERE = ["X-Request-Id", "Cache-Control"];
const RATE_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
const OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ["WWW-Authenticate"],
  429: ["Retry-After", ...RATE_HEADERS],
  503: ["Retry-After"],
};

/**
 * References to the headers of a response.
 * @param isLimited it can have taken a unit of a rate limit, and shows what is left then
 */
export function headersOf({ status, isLimited = false }: { status: number; isLimited?: boolean }): Json {
  const names = [...EVERYWHERE, ...(isLimited ? RATE_HEADERS : []), ...(OF_STATUS[status] ?? [])];
  return Object.fromEntries(
    [...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** Every header of a response, for the document's components. */
export const HEADERS: Json = {
  "X-Request-Id": {
    description:
      "Id of this request. The log contains the ids of all 5xx responses and, with `LOG_LEVEL=debug`, of all other " +
      "responses",
    required: true,
    schema: { type: "string" },
  },
  "Cache-Control": {
    description: "No cache may store a response",
    required: true,
    schema: { type: "string", const: "no-store" },
  },
  "Content-Disposition": {
    description: "`attachment`, with the name of the file",
    required: true,
    schema: { type: "string" },
  },
  "Content-Length": {
    description: "Bytes. Missing where the file is sent in chunks",
    schema: { type: "integer", minimum: 0 },
  },
  "WWW-Authenticate": { description: "`Bearer`", schema: { type: "string" } },
  "Retry-After": {
    description: "Seconds after which a request can succeed again",
    required: true,
    schema: { type: "integer", minimum: 0 },
  },
  // Absent if the request was refused before it took a unit, if the limiter could not be asked and the request was let
  // through, and if another limit refused it.
  "X-RateLimit-Limit": { description: "Units per 60 seconds", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Units left", schema: { type: "integer" } },
  "X-RateLimit-Reset": {
    description: "Unix time at which the next unit becomes available",
    schema: { type: "integer" },
  },
};
