import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sql } from "@/db/client";
import { newId } from "@/db/schema";
import { appRouter } from "@/server/edge/trpc/router";
import type { Context, Services } from "@/server/core/context";
import type { ErrorCode } from "@/server/platform/errors";
import { createPublicHandler } from "@/server/edge/public/handle";
import { nodeMount } from "@/server/edge/public/mounts";
import { BASE_PATH } from "@/server/platform/addresses";
import { recipientHashes } from "@/server/domain/contacts/recipient-hash";
import { createRequestRecorder, type RequestRecorder, type RequestRecorderOptions } from "./recorder";
import { type RequestCount, storeRefusals, storeRequestCounts } from "./store";

/** Far longer than a test takes: collected requests are written only when the test says so. */
const NEVER_MS = 3_600_000;

export interface Answer {
  readonly status: number;
  readonly requestId: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A list is sent in chunks, without a declared length. */
  readonly body?: string | readonly string[];
}

/** Serves the public API on a port, and records its refusals. */
export async function servePublicApi(services: Services, options: Partial<RequestRecorderOptions> = {}) {
  const recorders: RequestRecorder[] = [];
  const renew = () => {
    const recorder = createRequestRecorder({
      ...services,
      lingerMs: NEVER_MS,
      successLingerMs: NEVER_MS,
      ...options,
    });
    recorders.push(recorder);
    return recorder;
  };
  let recorder = renew();
  const handle = createPublicHandler(services, appRouter, {
    refused: (request) => recorder.refused(request),
    succeeded: (request) => recorder.succeeded(request),
  });
  const serve = nodeMount(handle);
  const server = createServer((req, res) => void serve(req, res));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const { port } = isTcp(address) ? address : { port: 0 };
  return {
    handle,
    ask: (path: string, asked: AskOptions = {}) => ask(port, BASE_PATH + path, asked),
    /** Writes everything recorded so far. */
    async written() {
      const last = recorder;
      recorder = renew();
      await last.stop();
    },
    async close() {
      await Promise.all(recorders.map((one) => one.stop()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isTcp = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === "object" && address !== null;

function ask(port: number, path: string, { method = "GET", headers = {}, body }: AskOptions) {
  return new Promise<Answer>((resolve, reject) => {
    const req = httpRequest({ host: "127.0.0.1", port, path, method, headers }, (res) => {
      res.resume();
      res.once("end", () =>
        resolve({ status: res.statusCode ?? 0, requestId: String(res.headers["x-request-id"]) }),
      );
    });
    req.once("error", reject);
    const chunks = typeof body === "string" ? [body] : (body ?? []);
    if (typeof body === "string") req.setHeader("Content-Length", Buffer.byteLength(body));
    for (const chunk of chunks) req.write(chunk);
    req.end();
  });
}

export interface TestRefusal {
  readonly keyId: string;
  readonly secretId?: string;
  readonly refusedAt?: Date;
  readonly code?: ErrorCode;
  readonly status?: number;
  readonly route?: string;
  readonly clientMessageId?: string | null;
  /** The recipient's number. */
  readonly number?: string;
  readonly conversationId?: string;
}

/** Stores a refused request of the organization. @returns its id. */
export async function addRefusal({ services, actor }: Context, refusal: TestRefusal): Promise<string> {
  const id = newId();
  const { keyId, secretId = newId(), refusedAt = new Date(), code = "validation_failed" } = refusal;
  const {
    status = 400,
    route = `${BASE_PATH}/messages`,
    clientMessageId = null,
    conversationId = null,
  } = refusal;
  const { organizationId } = actor;
  const hour = new Date(refusedAt.getTime() - (refusedAt.getTime() % 3_600_000));
  const numbers = refusal.number === undefined ? [] : [refusal.number];
  const [recipientHash = null] = await recipientHashes(services, organizationId, numbers);
  const reported = { method: "POST", field: null, durationMs: 1.5, recipientHash, conversationId };
  const request = { id, organizationId, keyId, secretId, route, status, code, clientMessageId, refusedAt };
  await storeRefusals(
    services.sql,
    [{ ...request, ...reported }],
    [{ organizationId, keyId, code, hour, count: 1 }],
  );
  await addRequestCount({ services, actor }, { keyId, route, status, hour });
  return id;
}

/** Counts requests of the organization. */
export async function addRequestCount(
  { services, actor: { organizationId } }: Pick<Context, "services" | "actor">,
  of: Pick<RequestCount, "keyId" | "status"> & Partial<RequestCount>,
): Promise<void> {
  const hour = new Date(Date.now() - (Date.now() % 3_600_000));
  const usual = { organizationId, method: "POST", route: `${BASE_PATH}/messages`, hour, count: 1 };
  await storeRequestCounts(services.sql, [{ ...usual, ...of }]);
}

interface StoredRequest {
  readonly id: string;
  readonly keyId: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly code: string;
  readonly field: string | null;
  readonly clientMessageId: string | null;
}

/** Returns the stored refused requests, oldest first. */
export const storedRequests = (sql: Sql) => sql<StoredRequest[]>`
  select id, key_id as "keyId", method, route, status, code, field, client_message_id as "clientMessageId"
  from api_requests order by refused_at, id`;

/** Returns the stored counts of refusals. */
export const storedCounts = (sql: Sql) => sql<
  { keyId: string; code: string; refused: number; kept: number }[]
>`
  select key_id as "keyId", code, refused, kept from refusal_hours order by key_id, code, hour`;

/** Returns the stored counts of all requests. */
export const storedRequestCounts = (sql: Sql) => sql<
  { keyId: string; method: string; route: string; status: number; count: number }[]
>`
  select key_id as "keyId", method, route, status, sum(count)::int as count from request_hours
  group by 1, 2, 3, 4 order by 1, 2, 3, 4`;
