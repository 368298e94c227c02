import type { Page } from "playwright";

declare global {
  interface Window {
    /** Set by the guard. Null for none. */
    noteViolation?: (what: string | null) => Promise<void>;
  }
}

interface Guard {
  /** Resolves when everything that has gone wrong on the page is known here. Before the page is closed. */
  heard(): Promise<void>;
  /** @throws Error when anything went wrong: a violation of the content security policy, a console error, an exception. */
  check(): void;
}

/**
 * Watches a page from its next document on. @param expects console errors that are meant to be, each followed by the address
 * that it is about; see `refused`.
 */
export async function guard(page: Page, expects?: RegExp): Promise<Guard> {
  const problems: string[] = [];
  const note = (text: string) => {
    if (expects === undefined || !expects.test(text)) problems.push(text);
  };
  page.on("console", (message) => {
    const { url } = message.location();
    // The navigation fetches ahead what people may go to next; what of that fails is not this page's error.
    if (message.type() === "error" && !/_rsc=/.test(url)) note(`${message.text()} ${url}`);
  });
  page.on("pageerror", (error) => note(String(error)));
  // Nothing that a test means to cause is one.
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
      // A page that is closed, or on its way to another, has nothing left to tell.
      await page.evaluate(() => window.noteViolation?.(null)).catch(() => undefined);
    },
    check() {
      if (problems.length > 0) throw new Error(`The page had errors:\n${problems.join("\n")}`);
    },
  };
}

/**
 * Console errors of requests that a test has refused: of these statuses and paths, and no others.
 * @param refusals such as `404 keys.get` for a procedure, alone or asked for with others, `401 *` for any of them, and
 * `401 /api/auth/sign-in/email` for a path, in which a `*` stands for one segment.
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
