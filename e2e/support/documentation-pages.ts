import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BrowserContext, Page } from "playwright";
import { closeContexts, openBrowser } from "./browser";
import { REPOSITORY } from "./program";
import { askSharedServer, type SharedServer } from "./shared-server";

export const PATHS = readdirSync(join(REPOSITORY, "app/docs"), { recursive: true, encoding: "utf8" })
  .filter((file) => /^page\.(mdx|tsx)$/.test(basename(file)))
  .map((file) => join("/docs", dirname(file)).replace(/\/$/, ""))
  // The results of a search aren't a page to read.
  .filter((path) => path !== "/docs/search");

/** Size of the window. */
export const NARROW = { width: 390, height: 844 } as const;
export const WIDE = { width: 1280, height: 800 } as const;

/** All pages of the documentation, each shown in full and left open: loading a page takes longer than checking it. */
export interface Documentation {
  readonly server: SharedServer;
  /** The pages in the navigation, in reading order. */
  readonly listed: readonly { path: string; title: string }[];
  at(path: string): Shown;
  close(): Promise<void>;
}

interface Shown {
  readonly page: Page;
  /** Requested URLs on other hosts. */
  readonly foreign: readonly string[];
}

export async function openDocumentation(): Promise<Documentation> {
  const [server, browser] = await Promise.all([askSharedServer(), openBrowser()]);
  const context = await browser.newContext({ viewport: WIDE });
  const pages = new Map<string, Shown>();
  for (const path of PATHS) pages.set(path, await open(context, server.baseUrl, path));
  const at = (path: string) => {
    const found = pages.get(path);
    if (!found) throw new Error(`The documentation has no page ${path}`);
    return found;
  };
  return { server, listed: await listedAt(at("/docs").page), at, close: () => closeContexts(browser) };
}

async function open(context: BrowserContext, origin: string, path: string): Promise<Shown> {
  const page = await context.newPage();
  const foreign: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (/^(https?|wss?):$/.test(url.protocol) && url.origin !== origin) foreign.push(url.href);
  });
  await page.goto(origin + path, { waitUntil: "load" });
  return { page, foreign };
}

export const navigation = (page: Page) =>
  page.getByRole("navigation", { name: "Documentation", exact: true });

const listedAt = (page: Page) =>
  navigation(page)
    .locator("a")
    .evaluateAll((links) =>
      links.map((link) => ({ path: link.getAttribute("href") ?? "", title: link.textContent })),
    );
