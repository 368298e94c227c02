import type { Root } from "hast";
import { type ComponentType, createElement } from "react";
import { serviceAddress } from "../parts/documentation";
import { type PagePath, PATHS } from "../parts/pages";
import { markdownOf } from "./markdown";
import { createSearch, type Search, type SearchResult, type Section } from "../parts/search";
import { sectionsOf } from "./sections";
import { treeOf } from "./tree";

type LoadPage = () => Promise<{ readonly default: ComponentType }>;

/** The components of all pages. */
const COMPONENTS: Readonly<Record<PagePath, LoadPage>> = {
  "/docs": () => import("../page"),
  "/docs/first-message": () => import("../first-message/page.mdx"),
  "/docs/messages": () => import("../messages/page.mdx"),
  "/docs/uploads": () => import("../uploads/page.mdx"),
  "/docs/idempotency": () => import("../idempotency/page.mdx"),
  "/docs/states": () => import("../states/page.mdx"),
  "/docs/webhooks": () => import("../webhooks/page.mdx"),
  "/docs/webhooks/verifying": () => import("../webhooks/verifying/page.mdx"),
  "/docs/guides/order-notifications": () => import("../guides/order-notifications/page.mdx"),
  "/docs/guides/customer-messages": () => import("../guides/customer-messages/page.mdx"),
  "/docs/guides/files": () => import("../guides/files/page.mdx"),
  "/docs/guides/reconciliation": () => import("../guides/reconciliation/page.mdx"),
  "/docs/guides/worker-fleet": () => import("../guides/worker-fleet/page.mdx"),
  "/docs/guides/testing": () => import("../guides/testing/page.mdx"),
  "/docs/going-live": () => import("../going-live/page.mdx"),
  "/docs/admin": () => import("../admin/page.mdx"),
  "/docs/client": () => import("../client/page.mdx"),
  "/docs/api": () => import("../api/page"),
  "/docs/errors": () => import("../errors/page.mdx"),
  "/docs/limits": () => import("../limits/page.mdx"),
  "/docs/promises": () => import("../promises/page.mdx"),
  "/docs/versioning": () => import("../versioning/page.mdx"),
  "/docs/changelog": () => import("../changelog/page.mdx"),
  "/docs/simulator": () => import("../simulator/page.mdx"),
  "/docs/operating": () => import("../operating/page.mdx"),
  "/docs/metrics": () => import("../metrics/page.mdx"),
};

const isPagePath = (path: string): path is PagePath => Object.hasOwn(COMPONENTS, path);

async function treeAt(path: PagePath): Promise<Root> {
  const { default: Page } = await COMPONENTS[path]();
  return treeOf(createElement(Page));
}

/** The markdown of pages for the address that was asked for last: it doesn't change while the process runs. */
let last: { readonly address: string; readonly pages: Map<string, Promise<string>> } | undefined;

/** Returns the markdown of a page. Null for a path without a page. */
export async function markdownAt(path: string): Promise<string | null> {
  if (!isPagePath(path)) return null;
  const address = await serviceAddress();
  if (last?.address !== address) last = { address, pages: new Map() };
  const { pages } = last;
  const known = pages.get(path);
  if (known) return known;
  const made = treeAt(path).then((tree) => markdownOf(tree, { path, address }));
  pages.set(path, made);
  // The next request tries again.
  made.catch(() => pages.delete(path));
  return made;
}

/** Returns the markdown of all pages, in reading order. */
export async function allMarkdown(): Promise<string> {
  return (await Promise.all(PATHS.map(markdownAt))).join("\n");
}

let sections: Promise<readonly Section[]> | undefined;
let search: Search | undefined;

/** Returns the sections of all pages. They are made once: their text is the same for every request. */
export function allSections(): Promise<readonly Section[]> {
  sections ??= readSections().catch((error: unknown) => {
    sections = undefined;
    throw error;
  });
  return sections;
}

async function readSections(): Promise<readonly Section[]> {
  const pages = await Promise.all(PATHS.map(async (path) => sectionsOf(await treeAt(path), path)));
  return pages.flat();
}

/** Finds sections on the server, for a browser without JavaScript. */
export async function searchPages(query: string): Promise<readonly SearchResult[]> {
  search ??= createSearch(await allSections());
  return search(query);
}
