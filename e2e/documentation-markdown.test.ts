import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Documentation, openDocumentation, PATHS } from "@/e2e/support/documentation-pages";

let documentation: Documentation;
beforeAll(async () => {
  documentation = await openDocumentation();
});
afterAll(() => documentation.close());

interface Answer {
  readonly status: number;
  readonly type: string | null;
  readonly vary: string | null;
  readonly text: string;
}

async function get(path: string, accept = "*/*"): Promise<Answer> {
  const response = await fetch(documentation.server.baseUrl + path, { headers: { accept } });
  const header = (name: string) => response.headers.get(name);
  return {
    status: response.status,
    type: header("content-type"),
    vary: header("vary"),
    text: await response.text(),
  };
}

const MARKDOWN = "text/markdown; charset=utf-8";

/** Returns the text outside of code, where an angle bracket or a brace would be a leftover. */
const proseOf = (markdown: string) =>
  markdown.replace(/^( *)```[^]*?^\1```/gm, "").replace(/(`+)[^]*?\1/g, "");

const headingsOf = (markdown: string) =>
  [...markdown.replace(/^( *)```[^]*?^\1```/gm, "").matchAll(/^(#+) (.+)$/gm)].map(
    ([, marks = "", text = ""]) => ({
      level: marks.length,
      text: text.replace(/[`\\]/g, ""),
    }),
  );

describe.each(PATHS)("%s as markdown", (path) => {
  test("has the headings of the page, and nothing that only a browser needs", async () => {
    const { status, type, vary, text } = await get(`${path}.md`);
    expect({ status, type }).toEqual({ status: 200, type: MARKDOWN });
    expect(vary).toContain("Accept");
    const shown = await documentation
      .at(path)
      .page.locator("main :is(h1, h2, h3, h4)")
      .evaluateAll((headings) =>
        headings.map(({ tagName, textContent }) => ({ level: Number(tagName[1]), text: textContent })),
      );
    expect(headingsOf(text)).toEqual(shown);
    expect(proseOf(text)).not.toMatch(/<\/?[a-z]|\{[a-z]|\[#|undefined|\[object/i);
  });

  test("has every table, every list and every piece of code of the page", async () => {
    const { text } = await get(`${path}.md`);
    const counts = await documentation.at(path).page.evaluate(() => {
      const count = (selector: string) => document.querySelectorAll(`main article ${selector}`).length;
      return { rows: count("tr"), blocks: count("pre") };
    });
    const code = [...text.matchAll(/^ *```\w+$/gm)].length;
    const rows = text
      .split("\n")
      .filter((line) => /^ *\|/.test(line) && !/^ *\|( -+ \|)+$/.test(line)).length;
    expect({ rows, blocks: code }).toEqual(path === "/docs" ? { rows: 0, blocks: 0 } : counts);
  });

  test("is what a program gets that prefers it, at the page's own address, and what the page links to", async () => {
    const { text } = await get(`${path}.md`);
    expect(await get(path, "text/markdown, text/html;q=0.9, */*;q=0.1")).toMatchObject({
      type: MARKDOWN,
      text,
    });
    const { page } = documentation.at(path);
    const linked = await page.locator('link[rel="alternate"][type="text/markdown"]').getAttribute("href");
    expect(new URL(linked ?? "", page.url()).pathname).toBe(`${path}.md`);
    expect(await page.getByRole("link", { name: "View as Markdown" }).getAttribute("href")).toBe(
      `${path}.md`,
    );
  });

  test("is copied by the button", async () => {
    const { page } = documentation.at(path);
    await page.evaluate(() => {
      navigator.clipboard.writeText = async (text) => void Object.assign(window, { copied: text });
    });
    await page.getByRole("button", { name: "Copy page" }).click();
    await page.getByRole("button", { name: "Copied" }).first().waitFor();
    expect(await page.evaluate(() => Reflect.get(window, "copied"))).toBe((await get(`${path}.md`)).text);
  });
});

test.each([
  ["text/markdown", "markdown"],
  ["text/markdown;q=0.5", "markdown"],
  ["text/html, text/markdown", "markdown"],
  ["text/html,application/xhtml+xml,*/*;q=0.8", "html"],
  ["text/html, text/markdown;q=0.5", "html"],
  ["text/markdown;q=0.9, */*", "html"],
  ["*/*", "html"],
])("Accept: %s gets %s", async (accept, form) => {
  for (const path of ["/docs", "/docs/webhooks/verifying"]) {
    const { type, vary } = await get(path, accept);
    expect(type).toBe(`text/${form}; charset=utf-8`);
    expect(vary?.split(/, */)).toContain("Accept");
  }
});

test("a page that doesn't exist has no markdown", async () => {
  for (const path of ["/docs/nowhere.md", "/docs/markdown/nowhere", "/docs/toString.md"])
    expect((await get(path)).status).toBe(404);
});

test("every link in the markdown leads to a page's markdown or to a document of the server", async () => {
  const { baseUrl } = documentation.server;
  const texts = await Promise.all(PATHS.map(async (path) => (await get(`${path}.md`)).text));
  const links = new Set(
    texts.flatMap((text) => [...proseOf(text).matchAll(/\]\(([^)#]+)/g)].map(([, url]) => url ?? "")),
  );
  const own = [...links].filter((url) => !url.startsWith("https://"));
  expect(own.length).toBeGreaterThan(PATHS.length);
  for (const url of own) {
    expect(url.startsWith(`${baseUrl}/`)).toBe(true);
    const path = url.slice(baseUrl.length);
    expect(path).toMatch(/^\/docs.*\.md$|^\/api\/public\/v1\/\w+\.json$/);
    expect({ url, status: (await get(path)).status }).toEqual({ url, status: 200 });
  }
});

test("llms.txt lists every page with its summary, and the descriptions of the API; llms-full.txt contains every page", async () => {
  const { baseUrl } = documentation.server;
  const [index, full] = await Promise.all([get("/llms.txt"), get("/llms-full.txt")]);
  expect(index.text).toMatch(/^# Waypost\n\n> .+\n/);
  const listed = [...index.text.matchAll(/^- \[(.+)\]\((.+)\): (.+)$/gm)].map(([, title, url]) => ({
    title,
    url,
  }));
  expect(listed).toEqual([
    ...documentation.listed.map(({ path, title }) => ({ title, url: `${baseUrl}${path}.md` })),
    { title: "OpenAPI document", url: `${baseUrl}/api/public/v1/openapi.json` },
    { title: "Postman collection", url: `${baseUrl}/api/public/v1/postman.json` },
  ]);
  for (const path of PATHS) expect(full.text).toContain((await get(`${path}.md`)).text);
  for (const { status, type } of [index, full])
    expect({ status, type }).toEqual({ status: 200, type: "text/plain; charset=utf-8" });
});
