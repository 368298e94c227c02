import { type ComponentType, createElement } from "react";
import { serviceAddress } from "../parts/documentation";
import { PAGES } from "../parts/pages";
import { markdownOf } from "./markdown";
import { treeOf } from "./tree";

type LoadPage = () => Promise<{ readonly default: ComponentType }>;

/** The components of all pages. */
const COMPONENTS: Readonly<Record<string, LoadPage>> = {
  "/docs": () => import("../page"),
  "/docs/first-message": () => import("../first-message/page.mdx"),
  "/docs/messages": () => import("../messages/page.mdx"),
  "/docs/uploads": () => import("../uploads/page.mdx"),
  "/docs/idempotency": () => import("../idempotency/page.mdx"),
  "/docs/states": () => import("../states/page.mdx"),
  "/docs/webhooks": () => import("../webhooks/page.mdx"),
  "/docs/webhooks/verifying": () => import("../webhooks/verifying/page.mdx"),
  "/docs/admin": () => import("../admin/page.mdx"),
  "/docs/api": () => import("../api/page"),
  "/docs/errors": () => import("../errors/page.mdx"),
  "/docs/limits": () => import("../limits/page.mdx"),
  "/docs/simulator": () => import("../simulator/page.mdx"),
  "/docs/operating": () => import("../operating/page.mdx"),
  "/docs/metrics": () => import("../metrics/page.mdx"),
};

/** Every path below /docs that has a page. */
export const PATHS: readonly string[] = ["/docs", ...PAGES.map(({ path }) => path)];

/** Returns the markdown of a page. Null for a path without a page. */
export async function markdownAt(path: string): Promise<string | null> {
  const load = Object.hasOwn(COMPONENTS, path) ? COMPONENTS[path] : undefined;
  if (load === undefined) return null;
  const [{ default: Page }, address] = await Promise.all([load(), serviceAddress()]);
  return markdownOf(await treeOf(createElement(Page)), { path, address });
}
