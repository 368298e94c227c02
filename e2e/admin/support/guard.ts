import type { Page } from "playwright";

declare global {
  interface Window {
    /** Set by the guard. */
    noteViolation?: (what: string) => Promise<void>;
  }
}

/**
 * Watches a page from its next document on. @returns what throws when anything went wrong on it so far: a violation of the
 * content security policy, a console error, or an uncaught exception. @param expects console errors that are meant to be,
 * each followed by the address that it is about; see `refused`.
 */
export async function guard(page: Page, expects?: RegExp): Promise<() => void> {
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
  await page.exposeFunction("noteViolation", (what: string) => void problems.push(what));
  await page.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      void window.noteViolation?.(`securitypolicyviolation: ${violatedDirective} ${blockedURI}`);
    });
  });
  return () => {
    if (problems.length > 0) throw new Error(`The page had errors:\n${problems.join("\n")}`);
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
