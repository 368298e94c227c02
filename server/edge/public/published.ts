import type { AppRouter } from "@/server/edge/trpc/router";
import { openApiDocument } from "./document";
import { postmanCollection } from "./postman";

/** Paths of what the API says about itself, to anyone. */
export const PUBLISHED_PATHS = ["/openapi.json", "/postman.json"] as const;
export type PublishedPath = (typeof PUBLISHED_PATHS)[number];

export function isPublished(path: string): path is PublishedPath {
  return PUBLISHED_PATHS.some((one) => one === path);
}

/**
 * Returns the source of these documents as JSON text. Each is built once for an address of the API.
 * @throws Error at once if the procedures can't be described.
 */
export function createPublished(router: AppRouter): (path: PublishedPath, baseUrl: string | null) => string {
  const build = (baseUrl: string | null) => {
    const document = openApiDocument(router, baseUrl);
    const texts = {
      "/openapi.json": JSON.stringify(document),
      "/postman.json": JSON.stringify(postmanCollection(document)),
    } as const satisfies Record<PublishedPath, string>;
    return { baseUrl, texts };
  };
  let last = build(null);
  return (path, baseUrl) => {
    if (last.baseUrl !== baseUrl) last = build(baseUrl);
    return last.texts[path];
  };
}
