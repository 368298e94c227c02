import { BASE_PATH } from "@/app/ui/base-path";
import { type SampleRequest, VALUE_TO_REPLACE, variablesOf } from "@/app/ui/request-samples";
import type { RefusedRequest } from "./refused-request";

/**
 * Returns a copy of a refused request: the request to fill in of its operation, with its own `client_message_id`. Null
 * if the request was for no operation.
 */
export function copyOf(
  { method, route, clientMessageId }: Pick<RefusedRequest, "method" | "route" | "clientMessageId">,
  requests: readonly SampleRequest[],
): SampleRequest | null {
  const request = requests.find((one) => one.method === method && BASE_PATH + one.path === route);
  if (!request) return null;
  if (clientMessageId === null || !hasClientMessageId(request.body)) return request;
  return { ...request, body: { ...request.body, client_message_id: clientMessageId } };
}

const hasClientMessageId = (body: unknown): body is { readonly client_message_id: unknown } =>
  typeof body === "object" && body !== null && "client_message_id" in body;

/** Returns sentences that say which parts of a copy aren't from the refused request, and how to fill them in. */
export function whatToFillIn(
  { clientMessageId }: Pick<RefusedRequest, "clientMessageId">,
  copy: SampleRequest,
) {
  const { method, query, body, file } = copy;
  const variables = variablesOf(copy).map((name) => `\`${name}\``);
  const sentences: string[] = [];
  if (body !== undefined) {
    const isOwn = clientMessageId !== null && hasClientMessageId(body);
    const own = isOwn ? "Except for `client_message_id`, the" : "The";
    sentences.push("The body of the request isn’t stored.", `${own} body in the copy is an example.`);
    if (JSON.stringify(body).includes(VALUE_TO_REPLACE))
      sentences.push(`Replace each \`${VALUE_TO_REPLACE} …>\`.`);
  }
  if (file) sentences.push(`The file isn’t stored. Replace \`${file.name}\` and its type with yours.`);
  if (query)
    sentences.push(`The query isn’t stored. \`?${Object.entries(query).flat().join("=")}\` is an example.`);
  else if (method === "GET") sentences.push("If the request had a query, it isn’t stored.");
  if (variables.length > 0) sentences.push(`The path’s ids aren’t stored: set ${variables.join(" and ")}.`);
  return [...sentences, "The copy reads the address from `WAYPOST_URL` and the API key from `WAYPOST_KEY`."];
}
