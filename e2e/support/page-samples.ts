const ENTITIES: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", "#x27": "'" };
const decode = (html: string) => html.replace(/&([a-z0-9#]+);/g, (_, name: string) => ENTITIES[name] ?? "?");

/** Returns the samples of a page of the documentation by their names, as its readers copy them. */
export async function samplesOf(url: string): Promise<Map<string, string>> {
  const page = await (await fetch(url)).text();
  const found = page.matchAll(/<pre[^>]* data-sample="([^"]+)"[^>]*><code[^>]*>([^<]*)<\/code>/g);
  return new Map([...found].map(([, name = "", html = ""]) => [name, decode(html)]));
}
