import type { Browser, BrowserContext, Page } from "playwright";
import { SIZES } from "./four-forms";
import { guard } from "./guard";
import { hydrated } from "./hydrated";

export interface View {
  /** The browser's time zone. */
  readonly zone?: string;
  /** Where its requests come from, as a proxy would say; loopback without it. */
  readonly address?: string;
  /** Console errors that the test means to cause, such as those that `refused` tells of. */
  readonly expects?: RegExp;
}

/** A page in a browser context of its own. */
export interface AdminPage {
  readonly page: Page;
  /** Goes to a page below the address that it was opened for. */
  go(path: string): Promise<void>;
  /** Closes it. @throws Error on any console error, page error or violation of the content security policy. */
  close(): Promise<void>;
}

export type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

/** A new page. @param origin what its paths are below. @param session whose; nobody's without it. */
export async function openPage(
  browser: Browser,
  origin: string,
  { zone = "UTC", address, expects }: View = {},
  session?: Session,
): Promise<AdminPage> {
  const context = await browser.newContext({
    ...(session === undefined ? {} : { storageState: session }),
    ...(address === undefined ? {} : { extraHTTPHeaders: { "X-Forwarded-For": address } }),
    reducedMotion: "reduce",
    timezoneId: zone,
    viewport: SIZES.wide,
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const check = await guard(page, expects);
  return {
    page,
    go: async (path) => {
      await page.goto(origin + path);
      await hydrated(page);
    },
    close: async () => {
      await context.close();
      check();
    },
  };
}
