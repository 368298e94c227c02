import { afterAll, beforeAll, expect, test } from "vitest";
import { createPool } from "@/db/client";
import { readRunFile } from "@/db/embedded";
import { demo, type Demo } from "@/e2e/support/cli";
import { createDataDirectory, removeDataDirectory } from "@/e2e/support/data-directory";
import { customerWrites } from "@/e2e/support/simulator";
import { until } from "@/e2e/support/until";
import { attachWaypost, startWaypost, type Waypost } from "@/e2e/support/waypost";

let dataDir: string;
beforeAll(async () => void (dataDir = await createDataDirectory()));
afterAll(async () => {
  for (const server of started.toReversed()) await server.stop();
  await removeDataDirectory(dataDir);
});

/** In starting order. */
const started: Waypost[] = [];
async function noted(starting: Promise<Waypost>): Promise<Waypost> {
  const server = await starting;
  started.push(server);
  return server;
}

interface Looked {
  readonly bodies: readonly string[];
  readonly urls: readonly string[];
}

/** Returns the genuine webhooks in the demo's inbox, oldest first, and the URLs of its endpoints. */
async function look({ organization_id: organizationId }: Demo): Promise<Looked> {
  const run = await readRunFile(dataDir);
  if (run === null) throw new Error("The server wrote no run.json");
  const sql = createPool(run.postgres, { name: "look", connectionsMax: 1 });
  try {
    const rows = await sql<{ body: string }[]>`
      select body from demo_inbox where organization_id = ${organizationId} and fault is null order by received_at`;
    const endpoints = await sql<{ url: string }[]>`
      select url from webhook_endpoints where organization_id = ${organizationId}`;
    return { bodies: rows.map(({ body }) => body), urls: endpoints.map(({ url }) => url) };
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** A customer writes, and the inbox receives it. */
async function expectToArrive({ simulatorUrl }: Waypost, organization: Demo, body: string): Promise<void> {
  const phoneNumberId = organization.phone_number_ids.default;
  const from = organization.contacts.open_window.handle;
  await customerWrites(simulatorUrl, { phoneNumberId, from, body });
  await until(`"${body}" is in the inbox`, async () => {
    const { bodies } = await look(organization);
    return bodies.some((one) => one.includes(JSON.stringify(body)));
  });
}

test("the inbox gets webhooks from another process too, and at the address of each start", async () => {
  const first = await noted(startWaypost({ dataDir, env: { WAYPOST_ROLE: "api" } }));
  const jobs = await noted(attachWaypost(first, { WAYPOST_ROLE: "jobs" }));
  const organization = await demo(first);
  const path = `/api/demo/inbox/${organization.organization_id}`;
  await expectToArrive(first, organization, "To another process");
  expect((await look(organization)).urls).toEqual([first.baseUrl + path]);
  await jobs.stop();
  await first.stop();
  const second = await noted(startWaypost({ dataDir }));
  await expectToArrive(second, organization, "To another port");
  expect((await look(organization)).urls).toEqual([second.baseUrl + path]);
});
