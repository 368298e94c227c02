import { afterAll, beforeAll, expect, test } from "vitest";
import type { Browser } from "playwright";
import { closeContexts, openBrowser } from "@/e2e/support/browser";
import { type Loopback, serveOnLoopback } from "@/server/edge/http/testing";
import { refused } from "./guard";
import { pageOpener, type View } from "./open-page";

let browser: Browser;
let server: Loopback;

beforeAll(async () => {
  browser = await openBrowser();
  // A page with our policy, and refusals selected by the last part of their path.
  server = await serveOnLoopback((req, res) => {
    const status = /^\/(?:api\/trpc|api\/auth)\/.*?(\d{3})/.exec(req.url ?? "")?.[1];
    if (status !== undefined) return void res.writeHead(Number(status)).end();
    res.setHeader("Content-Security-Policy", "default-src 'self'; script-src 'self'");
    res.setHeader("Content-Type", "text/html");
    res.end("<!doctype html><title>A page</title>");
  });
});
afterAll(async () => {
  await closeContexts(browser);
  await server.close();
});

/** Returns the problems that closing a page reports after the action. */
async function problemsAfter(act: () => unknown, view: View = {}): Promise<string> {
  const { page, close } = await pageOpener(browser, server.url)(view);
  await page.goto(server.url);
  await page.evaluate(act);
  return close().then(
    () => "nothing wrong",
    (error: Error) => error.message,
  );
}

const asking = (path: string) => `fetch(${JSON.stringify(path)}).then((answer) => answer.text())`;

/** Returns the problems that closing a page reports after it requested the path. */
async function problemsAfterAsking(path: string, expects?: RegExp): Promise<string> {
  const { page, close } = await pageOpener(browser, server.url)(expects ? { expects } : {});
  await page.goto(server.url);
  await page.evaluate(asking(path));
  return close().then(
    () => "nothing wrong",
    (error: Error) => error.message,
  );
}

test("a page on which nothing goes wrong passes", async () => {
  expect(await problemsAfter(() => undefined)).toBe("nothing wrong");
});

test("a violation of the content security policy fails, whatever else is expected", async () => {
  const problems = await problemsAfter(
    () =>
      new Promise((resolve) => {
        document.addEventListener("securitypolicyviolation", resolve, { once: true });
        document.head.append(Object.assign(document.createElement("script"), { textContent: "1" }));
      }).then(() => undefined),
    { expects: /./ },
  );
  expect(problems).toContain("securitypolicyviolation: script-src-elem inline");
});

test("an error of the page's code and one in the console fail", async () => {
  expect(await problemsAfter(() => console.error("It broke"))).toContain("It broke");
  const thrown = () =>
    new Promise((resolve) => {
      addEventListener("error", resolve, { once: true });
      setTimeout(() => {
        throw new TypeError("It was thrown");
      });
    }).then(() => undefined);
  expect(await problemsAfter(thrown)).toContain("It was thrown");
});

test.each([
  ["of that status and procedure", "/api/trpc/keys.get-404?batch=1", "404 keys.get-404", true],
  ["of a procedure asked for with others", "/api/trpc/a.b,keys.get,c.d?x=404", "404 keys.get", true],
  ["of any procedure", "/api/trpc/audit.list?x=401", "401 *", true],
  ["of that path", "/api/auth/sign-in/email?x=401", "401 /api/auth/sign-in/email", true],
  ["of another status", "/api/trpc/keys.get?x=403", "404 keys.get", false],
  ["of another procedure", "/api/trpc/keys.getAll?x=404", "404 keys.get", false],
  ["of another path", "/api/auth/sign-in/other?x=401", "401 /api/auth/sign-in/email", false],
  ["of a path below", "/api/auth/sign-in/email/x?x=401", "401 /api/auth/*/email", false],
] as const)("a refusal %s is excused as it should be", async (_, path, refusal, isExcused) => {
  const problems = await problemsAfterAsking(path, refused(refusal));
  expect(problems === "nothing wrong").toBe(isExcused);
  expect(await problemsAfterAsking(path)).toContain("status of");
});
