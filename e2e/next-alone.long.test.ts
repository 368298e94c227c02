import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ExternalPostgres, startExternalPostgres } from "@/e2e/support/external-postgres";
import { freePort } from "@/e2e/support/free-port";
import { REPOSITORY } from "@/e2e/support/program";
import { until } from "@/e2e/support/until";

const BUILD_MS_MAX = 300_000;
const START_MS_MAX = 60_000;

let database: ExternalPostgres;
let server: ChildProcess | undefined;

beforeAll(async () => void (database = await startExternalPostgres()));
afterAll(async () => {
  if (server && server.exitCode === null && server.signalCode === null) {
    server.kill("SIGTERM");
    await once(server, "exit");
  }
  await database.close();
});

it(
  "answers the public API, and the documentation as markdown, from plain `next build` and `next start`",
  async () => {
    const [code] = await once(startNext(["build"]), "exit");
    expect(code).toBe(0);

    const port = await freePort();
    server = startNext(["start", "--port", String(port), "--hostname", "127.0.0.1"]);
    const ask = () => fetch(`http://127.0.0.1:${port}/api/public/v1/ping`).catch(() => null);
    const answer = await until("Next answers", ask, { timeoutMs: START_MS_MAX });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ error: { code: "api_key_required" } });

    for (const [path, accept] of [
      ["/docs/api.md", "*/*"],
      ["/docs/api", "text/markdown"],
    ] as const) {
      const page = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { accept } });
      expect(page.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      expect(await page.text()).toMatch(/^# API reference\n[^]*### Send a message\n/);
    }
  },
  BUILD_MS_MAX + START_MS_MAX,
);

function startNext(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [join(REPOSITORY, "node_modules/next/dist/bin/next"), ...args], {
    cwd: REPOSITORY,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      CI: "1",
      DATABASE_URL: database.url,
      WAYPOST_SECRET: "a secret of Next alone, 32 characters at least",
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
}
