import { allMarkdown } from "@/app/docs/content/pages";
import { markdownResponse } from "@/app/docs/content/response";

/** The whole documentation as one text. */
export async function GET(): Promise<Response> {
  return markdownResponse(await allMarkdown(), "text/plain");
}
