/** A text for programs. It also depends on `Accept`, because a page's address serves both forms. */
export function markdownResponse(text: string, type = "text/markdown"): Response {
  return new Response(text, { headers: { "Content-Type": `${type}; charset=utf-8`, Vary: "Accept" } });
}
