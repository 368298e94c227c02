import { markdownAt, PATHS } from "@/app/docs/content/pages";
import { markdownResponse } from "@/app/docs/content/response";

/** The whole documentation as one text. */
export async function GET(): Promise<Response> {
  const pages = await Promise.all(PATHS.map(markdownAt));
  return markdownResponse(pages.join("\n"), "text/plain");
}
