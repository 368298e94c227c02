import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { closeContexts, openBrowser } from "@/e2e/support/browser";
import { WIDE } from "@/e2e/support/documentation-pages";
import { openReferenceSamples, type ReferenceSamples } from "@/e2e/support/reference-samples";

const fieldsSchema = z.looseObject({ properties: z.record(z.string(), z.unknown()).optional() });
const documentSchema = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        operationId: z.string(),
        summary: z.string(),
        "x-error-codes": z.array(z.string()),
        parameters: z.array(z.looseObject({ name: z.string() })).default([]),
      }),
    ),
  ),
  webhooks: z.record(z.string(), z.unknown()),
  components: z.looseObject({ schemas: z.record(z.string(), fieldsSchema) }),
});

let world: ReferenceSamples;
let document: z.output<typeof documentSchema>;
/** The page as it is for a browser without JavaScript. */
let html: string;
beforeAll(async () => {
  world = await openReferenceSamples();
  document = documentSchema.parse(world.api.document);
  html = await (await fetch(`${world.server.baseUrl}/docs/api`)).text();
});
afterAll(() => world.close());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  );

/** Returns the part of the page from an anchor to the next operation. */
function partOf(id: string): string {
  const [, part = ""] = html.split(`<h3 id="${id}">`);
  return part.split("<h3 id=")[0] ?? "";
}

test("every operation has an anchor, its method, its path, its parameters and its errors", () => {
  expect(operations().length).toBeGreaterThan(15);
  const common = html.split('id="common-errors"')[1]?.split("<h2")[0] ?? "";
  for (const { operationId, path, method, summary, parameters, "x-error-codes": codes } of operations()) {
    const part = partOf(operationId);
    expect(part).toContain(summary);
    expect(part).toContain(`<code>${method}<!-- --> <!-- -->${path}</code>`);
    for (const { name } of parameters) expect(part).toContain(`<code>${name}</code>`);
    for (const code of codes)
      expect(part + common).toContain(`<a href="/docs/errors#${code}"><code>${code}</code></a>`);
  }
});

/** Returns the names of all fields in a schema. */
function fieldsIn(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = fieldsSchema.safeParse(schema).data?.properties ?? {};
  return [
    ...Object.keys(own),
    ...Object.values(schema).flatMap((part) => (Array.isArray(part) ? part : [part]).flatMap(fieldsIn)),
    ...Object.values(own).flatMap(fieldsIn),
  ];
}

test("every field of every schema is in a table", () => {
  const shown = new Set(
    [...html.matchAll(/<td[^>]*><code>([^<]+)<\/code>/g)].map(([, name = ""]) =>
      name.split(".").at(-1)?.replace("[]", ""),
    ),
  );
  const fields = new Set(
    Object.values(document.components.schemas).flatMap((schema) =>
      fieldsIn({ properties: schema.properties }),
    ),
  );
  expect(fields.size).toBeGreaterThan(80);
  expect([...fields].filter((field) => !shown.has(field) && !document.components.schemas[field])).toEqual([]);
});

test("every type of event has its fields and an example", () => {
  const types = Object.keys(document.webhooks);
  expect(types).toContain("message.received");
  for (const type of types) {
    const part = partOf(`event-${type}`);
    expect(part).toContain("<code>data</code>");
    expect(part).toContain(`&quot;type&quot;: &quot;${type}&quot;`);
  }
});

test("every operation has a sample in each language, and every sample for a shell is accepted", () => {
  const inShell = world.samples.filter(({ language }) => language === "curl");
  for (const { operationId } of operations())
    expect(
      new Set(world.samples.filter((one) => one.operationId === operationId).map(({ language }) => language)),
    ).toEqual(new Set(["curl", "typescript", "python"]));
  for (const { operationId, text, env } of inShell) {
    const ANSWERS = join(world.directory, "answers");
    const { status, stderr } = spawnSync("sh", ["-ec", `: > "$ANSWERS"\n${text}`], {
      cwd: world.directory,
      env: { ...env, ANSWERS },
      encoding: "utf8",
    });
    const answer = JSON.parse(readFileSync(ANSWERS, "utf8"));
    expect({
      operationId,
      text,
      status,
      stderr,
      body: answer.body,
      answer: Math.floor(answer.status / 100),
    }).toEqual({
      operationId,
      text,
      status: 0,
      stderr: "",
      body: answer.body,
      answer: 2,
    });
  }
});

test("a language that was chosen for one sample is chosen for all, and on the next visit", async () => {
  const browser = await openBrowser();
  const page = await (await browser.newContext({ viewport: WIDE })).newPage();
  await page.goto(`${world.server.baseUrl}/docs/api#getMessage`);
  const shown = () =>
    page
      .locator("pre[data-sample]")
      .evaluateAll((all) =>
        all
          .filter((one) => one.checkVisibility())
          .map((one) => one.getAttribute("data-sample")?.split(":")[1]),
      );
  await expect.poll(async () => new Set(await shown())).toEqual(new Set(["curl"]));
  const button = page.locator('input[name="sample-getMessage"][value="python"]');
  const before = await button.boundingBox();
  await button.check();
  expect(new Set(await shown())).toEqual(new Set(["python"]));
  expect((await button.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0);
  await page.reload();
  await expect.poll(async () => new Set(await shown())).toEqual(new Set(["python"]));
  await closeContexts(browser);
});

test("without JavaScript, the radio buttons choose the language of their sample", async () => {
  const browser = await openBrowser();
  const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
  await page.goto(`${world.server.baseUrl}/docs/api`);
  const sample = (language: string) => page.locator(`pre[data-sample="getMessage:${language}"]`);
  expect(await sample("typescript").isVisible()).toBe(false);
  await page.locator('input[name="sample-getMessage"][value="typescript"]').check();
  expect(await sample("typescript").isVisible()).toBe(true);
  expect(await sample("curl").isVisible()).toBe(false);
  await closeContexts(browser);
});
