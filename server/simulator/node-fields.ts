import { invalidParameter, type GraphError } from "./graph-errors";

/** The fields of a node of the Graph API. `isDefault` ones are returned without `fields`. */
export type NodeFields<Node> = Readonly<
  Record<string, { readonly isDefault: boolean; value(node: Node): unknown }>
>;

/**
 * Reads `fields=a,b` of a `GET`, and returns those fields of a node, and its `id`.
 * @returns Meta's error if a field isn't known.
 */
export function readFields<Node>(
  query: URLSearchParams,
  { nodeType, fields }: { nodeType: string; fields: NodeFields<Node> },
): { readonly show: (node: Node) => object } | { readonly error: GraphError } {
  const named = query.get("fields")?.split(",");
  const wanted = named?.filter((name) => name !== "");
  const unknown = wanted?.find((name) => !Object.hasOwn(fields, name));
  if (unknown !== undefined) {
    const words = `Tried accessing nonexisting field (${unknown.slice(0, 40)}) on node type (${nodeType})`;
    return { error: invalidParameter(words) };
  }
  const shown = Object.entries(fields).filter(
    ([name, { isDefault }]) => name === "id" || (wanted?.includes(name) ?? isDefault),
  );
  return { show: (node) => Object.fromEntries(shown.map(([name, { value }]) => [name, value(node)])) };
}
