import type { Page } from "playwright";

declare global {
  interface Window {
    /** Set by the guard. Null if there is none. */
    noteViolation?: (what: string | null) => Promise<void>;
  }
}

interface Guard {
  /** Resolves when all errors of the page have been received here. Call it before closing the page. */
  heard(): Promise<void>;
  /**
   * @throws Error if anything went wrong: a violation of the content security policy, a console error, an exception.
   */
  check(): void;
}

/**
 * Watches a page from its next document on. @param expects expected console errors, each followed by the URL that it is
 * about; see `refused`.
 */
export async function guard(page: Page, expects?: RegExp): Promise<Guard> {
  const problems: string[] = [];
  const note = (text: string) => {
    if (expects === undefined || !expects.test(text)) problems.push(text);
  };
  page.on("console", (message) => {
    const { url } = message.location();
    // The navigation prefetches pages; a failure of that is not this page's error.
    if (message.type() === "error" && !/_rsc=/.test(url)) note(`${message.text()} ${url}`);
  });
  page.on("pageerror", (error) => note(String(error)));
  // Used for violations, which no test provokes on purpose.
  await page.exposeFunction("noteViolation", (what: string | null) => {
    if (what !== null) problems.push(what);
  });
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      void window.noteViolation?.(`securitypolicyviolation: ${violatedDirective} ${blockedURI}`);
    });
  });
  return {
    async heard() {
      // A closed or navigating page has nothing left to report.
      await page.evaluate(() => window.noteViolation?.(null)).catch(() => undefined);
    },
    check() {
      if (problems.length > 0) throw new Error(`The page had errors:\n${problems.join("\n")}`);
    },
  };
}

/**
 * Matches console errors of expected refusals: only with these statuses and paths.
 * @param refusals such as `404 keys.get` for a procedure, alone or in a batch, `401 *` for any of them, and `401
 * /api/auth/sign-in/email` for a path, in which a `*` stands for one segment.
 */
export function refused(...refusals: readonly `${number} ${string}`[]): RegExp {
  const alternatives = refusals.map((refusal) => {
    const [status = "", asked = ""] = refusal.split(" ");
    return String.raw`status of ${status} \([^)]*\) https?://[^/]+${pathPattern(asked)}(\?|$)`;
  });
  return new RegExp(alternatives.join("|"));
}

function pathPattern(asked: string): string {
  const literal = asked.replaceAll(".", String.raw`\.`);
  if (asked.startsWith("/")) return literal.replaceAll("*", "[^/?]+");
  if (asked === "*") return "/api/trpc/[^/?]+";
  return String.raw`/api/trpc/([\w.]+,)*${literal}(,[\w.]+)*`;
}
