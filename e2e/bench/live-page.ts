import { setTimeout as pause } from "node:timers/promises";
import { Agent, request as ask } from "undici";
import { openBrowser } from "@/e2e/support/browser";
import type { BenchWaypost } from "./waypost";

/** The requests that an open page repeats. */
export interface LivePage {
  readonly requests: readonly PageRequest[];
  /** The period after which they repeat. */
  readonly periodMs: number;
}

interface PageRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Since the start of the period. */
  readonly atMs: number;
}

const PERIOD_MS = 10_000;
const ANSWER_TIMEOUT_MS = 20_000;
/** Headers that Chromium sets per connection, and `:method` and similar ones. */
const OF_THE_CONNECTION = /^(:|(connection|host|content-length|accept-encoding)$)/;

/**
 * Signs in, opens the messages with one of them beside the list in a real browser, and records the loaded page's
 * requests to the server. The browser is then closed, because its own work belongs to the viewer's machine.
 */
export async function recordLivePage(waypost: BenchWaypost, messageId: string): Promise<LivePage> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    const { baseUrl } = waypost.server;
    await page.goto(`${baseUrl}/sign-in`);
    await page.getByLabel("Email address").fill(waypost.signIn.email);
    await page.locator("input[name=password]").fill(waypost.signIn.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/o\//);
    await page.goto(`${baseUrl}/o/${waypost.organizationId}/messages/${messageId}`);
    await page.getByRole("table").waitFor();
    const beganAtMs = performance.now();
    const seen: { atMs: number; url: string; headers: Promise<Record<string, string>> }[] = [];
    page.on("request", (one) => {
      if (one.method() === "GET" && one.url().startsWith(`${baseUrl}/api/`))
        seen.push({ atMs: performance.now() - beganAtMs, url: one.url(), headers: one.allHeaders() });
    });
    await pause(PERIOD_MS);
    const requests = await Promise.all(
      seen.map(async ({ headers, ...rest }) => ({ ...rest, headers: passedOn(await headers) })),
    );
    if (requests.length === 0) throw new Error("The page of messages asks nothing: it isn't live");
    return { requests, periodMs: PERIOD_MS };
  } finally {
    await browser.close();
  }
}

function passedOn(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_CONNECTION.test(name)));
}

/** Sends the requests of that many open pages, each with its own offset. */
export function openLivePages({ requests, periodMs }: LivePage, count: number) {
  const agent = new Agent({ headersTimeout: ANSWER_TIMEOUT_MS, bodyTimeout: ANSWER_TIMEOUT_MS });
  const left = new AbortController();
  const wrong: Record<string, number> = {};
  const answers = { right: 0, wrong };

  async function askOnce({ url, headers }: PageRequest): Promise<void> {
    const { statusCode, body } = await ask(url, { headers, dispatcher: agent });
    await body.dump();
    if (statusCode === 200) answers.right += 1;
    else wrong[statusCode] = (wrong[statusCode] ?? 0) + 1;
  }

  async function stayOpen(place: number): Promise<void> {
    const beginsAtMs = performance.now() + (place * periodMs) / count;
    for (let round = 0; ; round += 1) {
      for (const one of requests) {
        const atMs = beginsAtMs + round * periodMs + one.atMs;
        await pause(Math.max(0, atMs - performance.now()), undefined, { signal: left.signal });
        await askOnce(one);
      }
    }
  }

  const pages = Array.from({ length: count }, (_, place) => stayOpen(place));
  const ended = Promise.allSettled(pages);
  return {
    /**
     * Closes the pages. @returns the number of successful responses, and of other statuses. @throws Error if a page
     * failed.
     */
    async close() {
      left.abort();
      const failures = (await ended).flatMap((page) => (page.status === "rejected" ? [page.reason] : []));
      await agent.close();
      const broken = failures.find((reason) => !isAbort(reason));
      if (broken !== undefined) throw new Error("A live page broke", { cause: broken });
      return answers;
    },
  };
}

function isAbort(reason: unknown): boolean {
  return reason instanceof Error && reason.name === "AbortError";
}
