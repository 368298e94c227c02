import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { securePages } from "./page-headers";

function headersOf({
  path = "/o/1/messages",
  publicUrl = "https://waypost.example",
  isDevelopment = false,
}: {
  path?: string;
  publicUrl?: string | null;
  isDevelopment?: boolean;
} = {}) {
  const req = new IncomingMessage(new Socket());
  const res = new ServerResponse(req);
  securePages(req, res, { path, publicUrl, isDevelopment });
  return { answer: res.getHeaders(), page: req.headers };
}

const nonceOf = (policy: unknown) => /'nonce-([^']+)'/.exec(String(policy))?.[1];

test("each page has a nonce of its own, which its policy names and its code is told", () => {
  const [first, second] = [headersOf(), headersOf()];
  const policy = first.answer["content-security-policy"];
  expect(nonceOf(policy)).toMatch(/^[\w+/]{22}==$/);
  expect(nonceOf(policy)).not.toBe(nonceOf(second.answer["content-security-policy"]));
  expect(first.page["content-security-policy"]).toBe(policy);
  expect(first.page["x-nonce"]).toBe(nonceOf(policy));
});

test("no page runs what isn't its own, is framed, or sends a form elsewhere", () => {
  const { answer } = headersOf();
  const policy = String(answer["content-security-policy"]);
  const scripts = policy.split("; ").find((directive) => directive.startsWith("script-src "));
  expect(scripts).not.toMatch(/unsafe|https?:|data:|\*/);
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("form-action 'self'");
  expect(policy).toContain("base-uri 'none'");
  expect(policy).toContain("object-src 'none'");
  expect(answer).toMatchObject({
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
  });
});

test("a page of the documentation, which is also served as markdown, says that it depends on what is accepted", () => {
  const varyOf = (path: string, before?: string) => {
    const res = new ServerResponse(new IncomingMessage(new Socket()));
    securePages(res.req, res, { path, publicUrl: null, isDevelopment: false });
    if (before !== undefined) res.setHeader("Vary", before);
    res.writeHead(200);
    return res.getHeader("Vary");
  };
  expect(varyOf("/docs/errors", "rsc, Accept-Encoding")).toEqual(["rsc, Accept-Encoding", "Accept"]);
  expect(varyOf("/docs", "Accept")).toBe("Accept");
  expect(varyOf("/sign-in")).toBeUndefined();
});

test("a header that a client sent for itself is not what the page is told", () => {
  const req = new IncomingMessage(new Socket());
  req.url = "/o/1/usage?range=90d";
  req.headers["x-nonce"] = "chosen";
  req.headers["x-page-address"] = "/elsewhere";
  securePages(req, new ServerResponse(req), { path: "/", publicUrl: null, isDevelopment: false });
  expect(req.headers["x-nonce"]).not.toBe("chosen");
  expect(req.headers["x-page-address"]).toBe("/o/1/usage?range=90d");
});

test("browsers are told to stay with https where that is the public address", () => {
  expect(headersOf().answer["strict-transport-security"]).toBe("max-age=31536000");
  expect(headersOf({ publicUrl: "http://localhost:3000" }).answer).not.toHaveProperty(
    "strict-transport-security",
  );
  expect(headersOf({ publicUrl: null }).answer).not.toHaveProperty("strict-transport-security");
});

test("scripts and styles carry no policy, and are not taken for something else", () => {
  const { answer, page } = headersOf({ path: "/_next/static/chunks/a.js" });
  expect(answer).toEqual({ "x-content-type-options": "nosniff" });
  expect(page).not.toHaveProperty("x-nonce");
});

test("only development evaluates text as code", () => {
  expect(headersOf({ isDevelopment: true }).answer["content-security-policy"]).toContain("'unsafe-eval'");
  expect(headersOf().answer["content-security-policy"]).not.toContain("unsafe-eval");
});
