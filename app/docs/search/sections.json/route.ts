import { allSections } from "../../content/pages";

/** Everything that the search box searches. The browser makes its index from it. */
export async function GET(): Promise<Response> {
  return Response.json(await allSections(), { headers: { "Cache-Control": "private, max-age=300" } });
}
