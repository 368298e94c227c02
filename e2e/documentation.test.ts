import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  type Documentation,
  NARROW,
  navigation,
  openDocumentation,
  PATHS,
  WIDE,
} from "@/e2e/support/documentation-pages";
import { REPOSITORY } from "@/e2e/support/program";
import { OPEN_FILES_MIN } from "@/server/build/preflight.mjs";
import { PUBLIC_CODES } from "@/server/platform/errors";

let documentation: Documentation;
beforeAll(async () => {
  documentation = await openDocumentation();
});
afterAll(() => documentation.close());

test("the navigation lists every page, once", () => {
  expect(["/docs", ...documentation.listed.map(({ path }) => path)].sort()).toEqual(PATHS.toSorted());
});

test.each(PATHS)(
  "%s loads nothing from elsewhere, is named in title and navigation, fits 375 pixels, and can be read by keyboard alone",
  async (path) => {
    const { page, foreign } = documentation.at(path);
    const levels = await page
      .locator("main :is(h1, h2, h3, h4)")
      .evaluateAll((headings) => headings.map((heading) => Number(heading.tagName.slice(1))));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, place) => level - (levels[place - 1] ?? 0) > 1)).toEqual([]);
    const current = navigation(page).locator("[aria-current=page]");
    const entry = documentation.listed.find((candidate) => candidate.path === path);
    expect(await current.allTextContents()).toEqual(entry ? [entry.title] : []);
    expect(await page.title()).toBe(
      entry ? `${entry.title} · Waypost documentation` : "Waypost documentation",
    );
    await page.keyboard.press("Tab");
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Skip to content");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(":focus").getAttribute("id")).toBe("content");
    await page.setViewportSize({ ...NARROW, width: 375 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375);
    await page.setViewportSize(WIDE);
    expect(foreign).toEqual([]);
  },
);

test("every link within the documentation leads to something, and every code has an anchor", async () => {
  const ids = new Map<string, Set<string>>();
  const links = new Set<string>();
  for (const path of PATHS) {
    const { page } = documentation.at(path);
    const found = await page.evaluate(() => ({
      ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
      links: [...document.querySelectorAll("a")].map(({ href }) => href),
    }));
    ids.set(path, new Set(found.ids));
    for (const link of found.links) links.add(link);
  }
  const broken = [...links].filter((link) => {
    const { origin, pathname, hash } = new URL(link);
    if (origin !== documentation.server.baseUrl || !pathname.startsWith("/docs")) return false;
    // Another test reads the markdown of each page.
    const target = ids.get(pathname.replace(/\.md$/, ""));
    return !target || (hash !== "" && !target.has(decodeURIComponent(hash.slice(1))));
  });
  expect(broken).toEqual([]);
  expect(PUBLIC_CODES.filter((code) => !ids.get("/docs/errors")?.has(code))).toEqual([]);
});

/** A box of a page: lines for a shell with their expected statuses, or a response body. */
interface Box {
  readonly path: string;
  readonly text: string;
  /** Statuses; null for lines that aren't run, and for bodies. */
  readonly answers: readonly number[] | null;
  readonly isBody: boolean;
  /** Whether it says that it works in the checkout only. */
  readonly isInCheckout: boolean;
}

async function boxesOf(path: string): Promise<Box[]> {
  const boxes = await documentation
    .at(path)
    .page.locator("main pre:is([data-answers], [data-body]), main pre[tabindex]")
    .evaluateAll((all) =>
      all.map((box) => ({
        text: box.textContent,
        answers: box.getAttribute("data-answers"),
        isBody: box.hasAttribute("data-body"),
        isInCheckout: box.hasAttribute("data-checkout"),
      })),
    );
  return boxes.map(({ answers, ...box }) => ({
    ...box,
    path,
    answers: answers?.split(",").filter(Boolean).map(Number) ?? null,
  }));
}

interface Run {
  readonly status: number;
  readonly body: string;
}

/**
 * Runs lines as a reader would, one box after the other in one shell, in the checkout only if a box says so. @returns
 * the responses to each box's requests.
 */
async function runAll(boxes: readonly Box[]): Promise<Run[][]> {
  const directory = await mkdtemp(join(tmpdir(), "waypost-documentation-"));
  try {
    const file = (name: string) => join(directory, name);
    await writeFile(file("curl"), `#!/bin/sh\nexec node "${REPOSITORY}/e2e/support/curl.mjs" "$@"\n`);
    await chmod(file("curl"), 0o755);
    await writeFile(
      file("script"),
      boxes.map((box, place) => linesOf(box, directory, place, boxes[place - 1])).join("\n"),
    );
    const env = {
      ...process.env,
      ...documentation.server.env,
      PATH: `${directory}${delimiter}${process.env.PATH ?? ""}`,
    };
    await ended(
      spawn("sh", ["-e", file("script")], { cwd: directory, env, stdio: ["ignore", "ignore", "pipe"] }),
    );
    return await Promise.all(boxes.map((_, place) => readRuns(file(`answers-${place}`))));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A placeholder is filled in with the value of that name in the latest response, as the page's text says. */
const PLACEHOLDER = /^export ([A-Z_]+)=…$/;

/** A customer's message opens the window a moment later, as the page's text says: until then a send is refused. */
const OPENS_WINDOW = "/simulator/inbound";
const TRIES_MAX = 1_000;

function untilWindowOpens(lines: string): string {
  const isRefused = 'grep -q outside_customer_window "$ANSWERS"';
  return [
    "tries=0",
    `while : > "$ANSWERS"`,
    lines,
    `${isRefused} && [ $tries -lt ${TRIES_MAX} ]`,
    "do tries=$((tries + 1))",
    "done",
  ].join("\n");
}

function linesOf({ text, isInCheckout }: Box, directory: string, place: number, before?: Box): string {
  const name = PLACEHOLDER.exec(text)?.[1];
  if (name === undefined)
    return [
      `export ANSWERS="${directory}/answers-${place}"\n: > "$ANSWERS"`,
      `cd "${isInCheckout ? REPOSITORY : directory}"`,
      before?.text.includes(OPENS_WINDOW) ? untilWindowOpens(text) : text,
      "LATEST=$ANSWERS",
    ].join("\n");
  const script = `JSON.parse(JSON.parse(require("fs").readFileSync(process.argv[1], "utf8").trim()).body).${name.toLowerCase()}`;
  return `export ${name}=$(node -p '${script}' "$LATEST")`;
}

function ended(child: ReturnType<typeof spawn>): Promise<void> {
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
  return new Promise((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) =>
      code === 0 ? done() : fail(new Error(`The shell ended with ${code}: ${errors}`)),
    );
  });
}

async function readRuns(path: string): Promise<Run[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.split("\n").filter(Boolean);
  return lines.map((line): Run => JSON.parse(line));
}

test("every line for a shell works, in the order of the pages, and is answered as the page says", async () => {
  const boxes = (await Promise.all(documentation.listed.map(({ path }) => boxesOf(path)))).flat();
  const run = boxes.filter(({ answers, text }) => answers !== null || PLACEHOLDER.test(text));
  const answers = await runAll(run);
  const seen = run.map(({ path, text }, place) => ({
    path,
    text,
    answers: answers[place]?.map(({ status }) => status) ?? [],
  }));
  expect(seen).toEqual(run.map(({ path, text, answers: said }) => ({ path, text, answers: said ?? [] })));
  const bodies = boxes.flatMap((box, place) => {
    const before = boxes[place - 1];
    if (!box.isBody || before?.path !== box.path) return [];
    const answer = answers[run.indexOf(before)]?.at(-1);
    return [{ shown: fieldsOf(box.text), answered: fieldsOf(answer?.body ?? "null") }];
  });
  expect(bodies.length).toBeGreaterThan(2);
  for (const { shown, answered } of bodies) expect(shown).toEqual(answered);
});

const NEEDS_CHECKOUT = /\bnpm (run|ci|start)\b|\bfrom_demo\b|\bdata\}/;
/** A systemd unit and a container file, which contain the checkout's path. */
const BRINGS_CHECKOUT = /^\[Unit\]|^FROM node/;

test("lines that need the checkout say so, and making and managing webhooks needs none", async () => {
  const boxes = (await Promise.all(documentation.listed.map(({ path }) => boxesOf(path)))).flat();
  const silent = boxes.filter(
    ({ text, isInCheckout }) => NEEDS_CHECKOUT.test(text) && !BRINGS_CHECKOUT.test(text) && !isInCheckout,
  );
  expect(silent.map(({ path, text }) => ({ path, text }))).toEqual([]);
  const ofWebhooks = boxes.filter(({ path, isInCheckout }) => path === "/docs/webhooks" && isInCheckout);
  expect(ofWebhooks.map(({ text }) => text)).toEqual([expect.stringContaining("webhook listen")]);
  for (const { path } of documentation.listed) {
    const said = await documentation.at(path).page.getByText("In the checkout:", { exact: true }).count();
    expect(said).toBe(boxes.filter((box) => box.path === path && box.isInCheckout).length);
  }
});

/** Commands that a sentence only names, without being lines to run. */
const NAMED_ONLY = ["npm start", "from_demo"];

test("commands within a sentence that need the checkout say so there", async () => {
  const found: { path: string; command: string; isSaid: boolean }[] = [];
  for (const { path } of documentation.listed) {
    const inline = await documentation
      .at(path)
      .page.locator("main code:not(pre code)")
      .evaluateAll((all) =>
        all.map((code) => ({
          command: code.textContent,
          isSaid: code.closest("p, li, td, dd")?.textContent.includes("checkout") === true,
        })),
      );
    found.push(...inline.map((code) => ({ path, ...code })));
  }
  const needing = found.filter(
    ({ command }) => NEEDS_CHECKOUT.test(command) && !NAMED_ONLY.includes(command),
  );
  expect(needing.length).toBeGreaterThan(5);
  expect(needing.filter(({ isSaid }) => !isSaid)).toEqual([]);
});

function fieldsOf(json: string): string[] {
  const value: unknown = JSON.parse(json);
  return Object.keys(typeof value === "object" && value !== null ? value : {}).sort();
}

/** Returns the only box of a page that contains the words. */
async function boxWith(path: string, words: string): Promise<string> {
  const found = (await boxesOf(path)).filter(({ text }) => text.includes(words));
  expect(found).toHaveLength(1);
  return found[0]?.text ?? "";
}

test("a unit for systemd and a container run what `npm start` runs", async () => {
  const { scripts } = JSON.parse(await readFile(join(REPOSITORY, "package.json"), "utf8"));
  const unit = await boxWith("/docs/operating", "ExecStart=");
  const [, started] = /^ExecStart=\/usr\/bin\/(.+)$/m.exec(unit) ?? [];
  expect(`exec ${started}`).toBe(scripts.start);
  const [, command = ""] = /^CMD (.+)$/m.exec(await boxWith("/docs/operating", "FROM node")) ?? [];
  expect(`exec ${JSON.parse(command).join(" ")}`).toBe(scripts.start);
});

test("the need of open files that a refused start names is in the README and at /docs/operating", async () => {
  const { page } = documentation.at("/docs/operating");
  const shown = await page.locator("p", { hasText: "512 MiB free" }).textContent();
  expect(shown).toContain(`fewer than ${OPEN_FILES_MIN} files open: ulimit -n`);
  const readme = await readFile(join(REPOSITORY, "README.md"), "utf8");
  expect(readme).toContain(`${OPEN_FILES_MIN} open files (\`ulimit -n\`)`);
});

test("the lines that make the secret make it once, long enough, and for its owner only", async () => {
  const directory = await mkdtemp(join(tmpdir(), "waypost-secret-"));
  try {
    const lines = await boxWith("/docs/operating", "openssl rand");
    const script = `${lines}\nprintf %s "$WAYPOST_SECRET" > secret-$RUN`;
    for (const RUN of ["1", "2"]) {
      const env = { ...process.env, RUN };
      await ended(spawn("sh", ["-ec", script], { cwd: directory, env, stdio: ["ignore", "ignore", "pipe"] }));
    }
    const [first, second] = await Promise.all(
      [1, 2].map((run) => readFile(join(directory, `secret-${run}`), "utf8")),
    );
    expect(first).toMatch(/^\S{32,}$/);
    expect(second).toBe(first);
    expect((await stat(join(directory, "waypost-secret"))).mode & 0o077).toBe(0);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
