import type { Browser, BrowserContext, Page } from "playwright";
import { limitMs } from "@/e2e/support/machine-speed";
import { SIZES } from "./forms";
import { guard } from "./guard";
import { hydrated } from "./hydrated";

const WAIT_TIMEOUT_MS = limitMs(30_000);

export interface View {
  /** The browser's time zone. */
  readonly zone?: string;
  /** The source address of its requests, as a proxy would report it; loopback if absent. */
  readonly address?: string;
  /** Console errors that the test provokes, for example from `refused`. */
  readonly expects?: RegExp;
}

/** A page in its own browser context. */
export interface AdminPage {
  readonly page: Page;
  /** Opens a path below the URL that the page was opened for. */
  go(path: string): Promise<void>;
  /** Closes the page. @throws Error on any console error, page error or violation of the content security policy. */
  close(): Promise<void>;
}

export type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/**
 * Opens browser pages below a URL, each with the given session, or none. Later pages reuse contexts, so that files
 * loaded by one are cached for the next.
 */
export function pageOpener(browser: Browser, origin: string) {
  const idle = new Map<string, BrowserContext[]>();
  return async ({ expects, ...kind }: View = {}, session?: Session): Promise<AdminPage> => {
    const key = JSON.stringify(kind);
    const contexts = idle.get(key) ?? [];
    idle.set(key, contexts);
    const context = contexts.pop() ?? (await newContext(browser, kind));
    await context.setStorageState(session ?? NOBODY);
    const page = await context.newPage();
    const { heard, check } = await guard(page, expects);
    return {
      page,
      go: async (path) => {
        await page.goto(origin + path);
        await hydrated(page);
      },
      close: async () => {
        await heard();
        await Promise.all(context.pages().map((open) => open.close()));
        contexts.push(context);
        check();
      },
    };
  };
}

const NOBODY: Session = { cookies: [], origins: [] };

async function newContext(browser: Browser, { zone = "UTC", address }: View): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...(address === undefined ? {} : { extraHTTPHeaders: { "X-Forwarded-For": address } }),
    reducedMotion: "reduce",
    timezoneId: zone,
    viewport: SIZES.wide,
  });
  context.setDefaultTimeout(WAIT_TIMEOUT_MS);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  return context;
}
