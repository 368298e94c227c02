import { markdownAt } from "../../content/pages";
import { markdownResponse } from "../../content/response";

/** A page as markdown: next.config.js sends requests for `/docs/….md` here, and those that prefer markdown. */
export async function GET(_: Request, { params }: { params: Promise<{ page?: string[] }> }) {
  const { page = [] } = await params;
  const markdown = await markdownAt(["/docs", ...page].join("/"));
  return markdown === null
    ? new Response("There is no such page.\n", { status: 404 })
    : markdownResponse(markdown);
}
