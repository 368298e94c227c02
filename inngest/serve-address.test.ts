import type { RequestListener } from "node:http";
import { serve } from "inngest/edge";
import { describe, expect, onTestFinished, test } from "vitest";
import { fetchNodeMount } from "@/server/edge/http/fetch-mount";
import { serveOnLoopback } from "@/server/edge/http/testing";
import type { InngestConfig } from "@/server/platform/inngest-config";
import { recordLog } from "@/server/adapters/limits/testing";
import { createLogger } from "@/server/platform/log";
import { createInngestClient } from "./client";
import { watchServeAddress } from "./serve-address";
import { servedToInngest } from "./served";

const INNGEST: InngestConfig = {
  isDev: false,
  baseUrl: "http://inngest.example",
  eventKey: "event-key",
  signingKey: "signkey-test-00112233",
  signingKeyFallback: null,
  serveOrigin: null,
};
const DEV: InngestConfig = { ...INNGEST, isDev: true, signingKey: null };
const OTHER_KEY: InngestConfig = { ...INNGEST, signingKey: "445566" };

const OURS = "these functions, as seen from here";

/** The handler at `/api/inngest` of a process with this configuration. */
function functionsOf(inngest: InngestConfig): RequestListener {
  const client = createInngestClient({ inngest, log: createLogger({ level: "silent" }) });
  const handler = serve({ client, functions: [], enableUnauthedSync: false });
  const mount = fetchNodeMount(servedToInngest({ handler, isSigned: !inngest.isDev, ran: () => undefined }));
  return (req, res) => void mount(req, res);
}

/** A check of an address at which this listener responds. */
async function checkAddress(inngest: InngestConfig, listener: RequestListener) {
  const server = await serveOnLoopback((req, res) => listener(req, res));
  onTestFinished(() => server.close().catch(() => undefined));
  const { log, lines } = recordLog();
  const url = new URL("/api/inngest", server.url);
  const address = watchServeAddress({ inngest, url, log, everyMs: 1 });
  onTestFinished(() => address.stop());
  return { address, lines, server, url };
}

describe("the address that an Inngest server is to call", () => {
  test.each([
    ["signed", INNGEST],
    ["unsigned, for a dev server", DEV],
  ])("is known by the functions that answer there, %s", async (_, inngest) => {
    const { address, lines } = await checkAddress(inngest, functionsOf(inngest));
    expect(address.found()).toBeNull();
    await address.check();
    expect({ found: address.found(), lines: lines() }).toEqual({ found: OURS, lines: [] });
  });

  test.each<[string, InngestConfig, RequestListener, RegExp]>([
    [
      "a process without functions",
      INNGEST,
      (_, res) => void res.writeHead(404).end("{}"),
      /^it answers 404$/,
    ],
    ["functions with another key", INNGEST, functionsOf(OTHER_KEY), /401.*INNGEST_SIGNING_KEY/],
    ["a dev server's functions", INNGEST, functionsOf(DEV), /^it answers 200$/],
    ["a page", DEV, (_, res) => void res.end("<html>"), /^it answers 200$/],
    ["a redirection", DEV, (_, res) => void res.writeHead(308, { Location: "/" }).end(), /^it answers 308$/],
    ["nobody", INNGEST, (req) => void req.destroy(), /^fetch failed: /],
  ])("is known to lead to %s instead, and the log says so once", async (_, inngest, listener, found) => {
    const { address, lines, url } = await checkAddress(inngest, listener);
    address.begin();
    await expect.poll(lines).toHaveLength(1);
    await address.check();
    await address.check();
    expect(lines()).toMatchObject([
      { level: "warn", calls: url.href, found: expect.stringMatching(found), see: "INNGEST_SERVE_ORIGIN" },
    ]);
    expect(lines()).toHaveLength(1);
    expect(address.found()).toMatch(found);
    expect(JSON.stringify(lines())).not.toContain("00112233");
  });

  test("may lead there only some seconds after the start; when it comes to later, that is told", async () => {
    let checks = 0;
    let comesAfter = 3;
    const functions = functionsOf(INNGEST);
    const { address, lines } = await checkAddress(INNGEST, (req, res) => {
      if (checks++ < comesAfter) res.writeHead(502).end();
      else functions(req, res);
    });
    address.begin();
    await expect.poll(() => checks).toBe(4);
    await expect.poll(address.found).toBe(OURS);
    expect(lines()).toEqual([]);
    comesAfter = checks + 5;
    for (let times = 0; times < 6; times++) await address.check();
    expect(lines()).toMatchObject([{ level: "warn" }, { level: "info" }]);
  });
});
