import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestBrowser } from "@/server/domain/auth/testing";
import { createMember } from "@/server/domain/members/create";
import { createTestOrganization, openTestWorld, type TestWorld } from "@/server/domain/organizations/testing";
import { exportMount } from "./mount";

const PASSWORD = "correct horse battery";
let world: TestWorld;
let number = 0;

beforeAll(async () => void (world = await openTestWorld()));
afterAll(() => world.close());

interface AskInit extends Pick<RequestInit, "method" | "signal"> {
  readonly query?: string;
  readonly organization?: string;
  readonly headers?: Headers;
}

/** A signed-in member who requests exports of their organization. */
async function newMember(role: "owner" | "agent" = "owner") {
  const ctx = await createTestOrganization(world.services);
  const email = `eve-${++number}@example.com`;
  await createMember({ ctx, input: { email, name: "Eve", password: PASSWORD, role } });
  const browser = createTestBrowser(world.services);
  await browser.ask("/sign-in/email", { email, password: PASSWORD });
  const { organizationId } = ctx.actor;
  const mount = exportMount(world.services);
  const ask = (
    file: string,
    { query = "", organization = organizationId, headers = browser.headers(), ...init }: AskInit = {},
  ) =>
    mount(
      new Request(`http://localhost/api/export/${file}?organization=${organization}${query}`, {
        ...init,
        headers,
      }),
      null,
    );
  return { organizationId, ask };
}

async function errorOf(answer: Response) {
  const { error } = await answer.json();
  return { status: answer.status, code: error.code, field: error.field };
}

test("a list comes as a file that nobody keeps on the way", async () => {
  const { ask } = await newMember();
  const answers = await Promise.all([ask("messages.csv"), ask("audit.csv")]);
  for (const [place, answer] of answers.entries()) {
    const name = ["messages", "audit"][place];
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="waypost-${name}.csv"`);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  }
  const [messages, audit] = await Promise.all(answers.map((answer) => answer.text()));
  expect(messages).toMatch(/^message_id,client_message_id,/);
  expect(audit).toContain("member.signed_in");
  const requests = await ask("requests.csv", { query: "&status=422" });
  expect(await requests.text()).toMatch(/^at,request_id,/);
  const usage = await ask("usage.csv", { query: "&range=24h&zone=Europe/Berlin" });
  expect(usage.headers.get("content-disposition")).toBe('attachment; filename="waypost-usage.csv"');
  expect(await usage.text()).toMatch(/^from,to,accepted,/);
});

test("whoever may not, and whatever there isn't, is refused with the envelope and no file", async () => {
  const { ask } = await newMember("agent");
  const other = await newMember();
  const refusals = await Promise.all(
    [
      ask("messages.csv", { headers: new Headers() }),
      ask("messages.csv", { organization: other.organizationId }),
      ask("messages.csv", { organization: "nonsense" }),
      ask("secrets.csv"),
      ask("toString"),
      ask("messages.csv", { method: "POST" }),
      ask("audit.csv"),
      ask("messages.csv", { query: "&state=lost" }),
      ask("messages.csv", { query: "&since=yesterday" }),
      ask("requests.csv", { query: "&status=soon" }),
      ask("usage.csv"),
      ask("messages.csv", { query: "&q=1&q=2" }),
      ask("messages.csv", { query: "&unknown=1" }),
    ].map(async (answer) => errorOf(await answer)),
  );
  expect(refusals).toEqual([
    { status: 401, code: "not_signed_in" },
    { status: 404, code: "organization_not_found" },
    { status: 404, code: "organization_not_found" },
    { status: 404, code: "not_found" },
    { status: 404, code: "not_found" },
    { status: 405, code: "method_not_allowed" },
    { status: 403, code: "permission_denied" },
    { status: 400, code: "validation_failed", field: "state" },
    { status: 400, code: "validation_failed", field: "since" },
    { status: 400, code: "validation_failed", field: "status" },
    { status: 400, code: "validation_failed", field: "range" },
    { status: 400, code: "validation_failed", field: "q" },
    { status: 400, code: "validation_failed", field: "unknown" },
  ]);
});

test("a person has two files made at a time; one that is read or left makes room", async () => {
  const { ask } = await newMember();
  const [one, two] = await Promise.all([ask("messages.csv"), ask("messages.csv")]);
  const refused = await ask("messages.csv");
  const reported = (await refused.clone().json()).error.message;
  expect(await errorOf(refused)).toEqual({ status: 429, code: "rate_limited" });
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(reported).toBe("2 files are being made for you already. Try again when one of them is done.");
  await one?.text();
  const three = await ask("messages.csv");
  expect(three.status).toBe(200);
  await Promise.all([two?.body?.cancel(), three.body?.cancel()]);
  expect((await ask("messages.csv")).status).toBe(200);
});

test("whoever leaves before the answer, or while nobody reads it, makes room", async () => {
  const { ask } = await newMember();
  const leaving = new AbortController();
  const { signal } = leaving;
  const [one, two] = await Promise.all([ask("messages.csv", { signal }), ask("messages.csv", { signal })]);
  expect([one?.status, two?.status]).toEqual([200, 200]);
  leaving.abort();
  for (let time = 0; time < 3; time++) {
    const late = await ask("messages.csv", { signal: AbortSignal.abort() });
    expect(late.status).toBe(200);
  }
  const [three, four] = await Promise.all([ask("messages.csv"), ask("messages.csv")]);
  expect([three?.status, four?.status]).toEqual([200, 200]);
  await Promise.all([three?.text(), four?.text()]);
});
