import { serviceAddress } from "@/app/docs/parts/documentation";
import { markdownPath, SECTIONS } from "@/app/docs/parts/pages";
import { markdownResponse } from "@/app/docs/content/response";

/** The contents of the documentation for language models, in the form of llmstxt.org. */
export async function GET(): Promise<Response> {
  const address = await serviceAddress();
  const sections = SECTIONS.map(({ title, pages }) =>
    listOf(
      title,
      pages.map(({ path, title: name, summary }) => [name, markdownPath(path), summary] as const),
    ),
  );
  const lines = [
    "# Waypost",
    "> Waypost sends WhatsApp messages for applications and reports the delivery status of each message. Integrators call a REST API with an API key. An accepted message is stored durably, and a repeated request never sends it twice.",
    `All pages in one file: ${address}/llms-full.txt`,
    ...sections,
    listOf("Descriptions of the API", DESCRIPTIONS),
  ];
  return markdownResponse(`${lines.join("\n\n").replaceAll("](/", `](${address}/`)}\n`, "text/plain");
}

const DESCRIPTIONS = [
  ["OpenAPI document", "/api/public/v1/openapi.json", "All operations and schemas, in OpenAPI 3.1."],
  ["Postman collection", "/api/public/v1/postman.json", "A request for each operation."],
] as const;

function listOf(title: string, links: readonly (readonly [name: string, path: string, text: string])[]) {
  return [`## ${title}\n`, ...links.map(([name, path, text]) => `- [${name}](${path}): ${text}`)].join("\n");
}
