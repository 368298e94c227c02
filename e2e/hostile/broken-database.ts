import { randomBytes, randomUUID } from "node:crypto";
import { BASE_PATH } from "@/e2e/support/api";
import { asJson } from "@/e2e/support/contract";
import { httpCall, type HttpAnswer, type HttpCall } from "@/e2e/support/http-call";
import { until } from "@/e2e/support/until";
import { ERRORS } from "@/server/platform/errors";
import { CALLBACK_PREFIX, signatureOf } from "./callbacks";
import { parse } from "./check-answer";
import type { HostileWorld } from "./world";

/** Something that is missing under the running server, and the requests that need it. */
export interface Breakage {
  readonly name: string;
  readonly statement: string;
  readonly repair: string;
  readonly requests: readonly RequestName[];
}

export const breakages: readonly Breakage[] = [
  missingTable("messages", ["send", "read", "list"]),
  missingTable("contact_identities", ["send"]),
  missingTable("api_key_secrets", ["send", "read", "list", "ping", "upload"]),
  missingTable("uploads", ["upload"]),
  missingTable("channels", ["send", "callback", "verification"]),
  missingTable("upstream_callbacks", ["callback"]),
  {
    name: "a column of messages",
    statement: "alter table messages rename column body_fingerprint to body_fingerprint_away",
    repair: "alter table messages rename column body_fingerprint_away to body_fingerprint",
    requests: ["send"],
  },
  {
    name: "a check that fails on every message",
    statement: "alter table messages add constraint never check (false) not valid",
    repair: "alter table messages drop constraint never",
    requests: ["send"],
  },
];

function missingTable(table: string, requests: readonly RequestName[]): Breakage {
  return {
    name: `the table ${table}`,
    statement: `alter table ${table} rename to ${table}_away`,
    repair: `alter table ${table}_away rename to ${table}`,
    requests,
  };
}

type RequestName = keyof typeof REQUESTS;
type Call = Omit<HttpCall, "url"> & { readonly path: string };

/** Valid requests with a mark in every place for a client's text. */
const REQUESTS = {
  send: (world: HostileWorld, mark: string) => ({
    method: "POST",
    path: `${BASE_PATH}/messages`,
    headers: { ...keyOf(world), "Content-Type": "application/json" },
    body: Buffer.from(
      JSON.stringify({
        client_message_id: `${mark}-${randomUUID()}`,
        type: "text",
        to: { kind: "whatsapp", handle: world.demo.contacts.open_window.handle },
        text: { body: mark },
      }),
    ),
  }),
  read: (world: HostileWorld) => ({
    method: "GET",
    path: `${BASE_PATH}/messages/${randomUUID()}`,
    headers: keyOf(world),
  }),
  list: (world: HostileWorld, mark: string) => ({
    method: "GET",
    path: `${BASE_PATH}/messages?client_message_id=${mark}`,
    headers: keyOf(world),
  }),
  ping: (world: HostileWorld) => ({ method: "GET", path: `${BASE_PATH}/ping`, headers: keyOf(world) }),
  upload: (world: HostileWorld, mark: string) => ({
    method: "POST",
    path: `${BASE_PATH}/uploads`,
    headers: { ...keyOf(world), "Content-Type": "text/plain", "X-Filename": `${mark}.txt` },
    body: Buffer.from(mark),
  }),
  callback: (world: HostileWorld, mark: string) => {
    const body = Buffer.from(JSON.stringify({ object: mark }));
    const { id, appSecret } = world.callbackChannel;
    const signature = signatureOf(body, appSecret);
    return {
      method: "POST",
      path: CALLBACK_PREFIX + id,
      headers: { "X-Hub-Signature-256": signature },
      body,
    };
  },
  verification: (world: HostileWorld, mark: string) => ({
    method: "GET",
    path: `${CALLBACK_PREFIX}${world.callbackChannel.id}?hub.mode=subscribe&hub.challenge=${mark}`,
    headers: {},
  }),
} as const satisfies Record<string, (world: HostileWorld, mark: string) => Call>;

function keyOf({ secret }: HostileWorld) {
  return { Authorization: `Bearer ${secret}` };
}

/** Describes responses that violate the contract during and after the breakage. */
export async function problemsWhileBroken(
  world: HostileWorld,
  breakage: Breakage,
): Promise<readonly string[]> {
  const { sql, server } = world.processes;
  const mark = `mark${randomBytes(8).toString("hex")}`;
  const problems: string[] = [];
  await sql.unsafe(breakage.statement);
  try {
    for (const name of breakage.requests) {
      const answer = await call(world, REQUESTS[name](world, mark));
      problems.push(...problemsOf(answer, mark).map((problem) => `${name}: ${problem}`));
      const requestId = answer.headers["x-request-id"] ?? "";
      await until(`the log has the request ${requestId}`, () => server().output().includes(requestId));
    }
  } finally {
    await sql.unsafe(breakage.repair);
  }
  for (const name of breakage.requests) {
    const { status } = await call(world, REQUESTS[name](world, mark));
    if (status >= 500) problems.push(`${name}: ${status} after the repair`);
  }
  if (server().output().includes(mark)) problems.push("the log has text of the client's");
  return problems;
}

function call({ baseUrl }: HostileWorld, { path, ...rest }: Call): Promise<HttpAnswer> {
  return httpCall({ ...rest, url: baseUrl + path });
}

function problemsOf({ status, text }: HttpAnswer, mark: string): readonly string[] {
  const { code, message } = asJson(asJson(parse(text)).error);
  return [
    ...(status === 500 ? [] : [`answered ${status}`]),
    ...(code === "internal_error" && message === ERRORS.internal_error.message ? [] : [`answered ${text}`]),
    ...(text.includes(mark) ? ["told the client's text"] : []),
  ];
}
