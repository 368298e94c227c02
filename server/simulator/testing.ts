import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SimulatorLog } from "./simulator-context";
import type { PhoneNumber } from "./numbers";
import { startSimulator, type Simulator } from "./start";

export const silentLog: SimulatorLog = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const phoneNumberId = "106540352242922";

/** Creates a directory that is removed when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "waypost-simulator-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts a simulator that is stopped when the test ends. */
export async function startForTest(directory: string): Promise<Simulator> {
  const simulator = await startSimulator({ directory, port: 0, log: silentLog });
  onTestFinished(() => simulator.stop());
  return simulator;
}

export function numberFor(callbackUrl: string, changes: Partial<PhoneNumber> = {}): PhoneNumber {
  return {
    phone_number_id: phoneNumberId,
    waba_id: "102290129340398",
    display_phone_number: "+1 555-078-3881",
    access_token: "token-of-the-test",
    app_secret: "secret-of-the-test",
    callback_url: callbackUrl,
    verify_token: "verify-of-the-test",
    ...changes,
  };
}

export async function putNumbers(simulator: Simulator, numbers: readonly PhoneNumber[]): Promise<void> {
  const answer = await call(simulator, "PUT", "/simulator/numbers", { numbers });
  if (answer.status !== 200) throw new Error(`numbers refused: ${JSON.stringify(answer.body)}`);
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Makes one JSON call. `body` of the result is the text if it isn't JSON. */
export async function call(
  simulator: Simulator,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${simulator.url}${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    return { status: response.status, body: value };
  } catch {
    return { status: response.status, body: text };
  }
}

export function textMessage(to: string, callbackData?: string): object {
  return {
    messaging_product: "whatsapp",
    recipient_type: "individual",
    to,
    type: "text",
    text: { body: "Grüße, 世界 / 👋" },
    ...(callbackData === undefined ? {} : { biz_opaque_callback_data: callbackData }),
  };
}

/** Sends a message as a business would. Status 0 if the connection was closed without a response. */
export async function send(
  simulator: Simulator,
  message: unknown,
  options: { token?: string; numberId?: string } = {},
): Promise<Answer> {
  const { token = "token-of-the-test", numberId = phoneNumberId } = options;
  try {
    return await call(simulator, "POST", `/v23.0/${numberId}/messages`, message, {
      authorization: `Bearer ${token}`,
    });
  } catch {
    return { status: 0, body: null };
  }
}

export interface LedgerMessage {
  readonly wamid: string;
  readonly phone_number_id: string;
  readonly to: string;
  readonly type: string;
  readonly biz_opaque_callback_data: string | null;
  readonly body: unknown;
  readonly at: string;
}

export interface LedgerCall {
  readonly at: string;
  readonly biz_opaque_callback_data: string | null;
  readonly phone_number_id: string;
  readonly to: string | null;
  readonly status: number;
  readonly code: number | null;
  readonly wamid: string | null;
}

interface Ledger {
  readonly messages: LedgerMessage[];
  readonly calls: LedgerCall[];
  readonly marks: Record<string, unknown>[];
}

export async function ledgerOf(simulator: Simulator, query = ""): Promise<Ledger> {
  const { body } = await call(simulator, "GET", `/ledger${query}`);
  // The format is the documented one. Each test checks the fields that it is about.
  return body as Ledger;
}

export async function owedTotal(simulator: Simulator): Promise<number> {
  const { body } = await call(simulator, "GET", "/simulator/owed");
  return (body as { total: number }).total;
}

export interface Status {
  readonly id: string;
  readonly status: string;
  readonly timestamp: string;
  readonly recipient_id: string;
  readonly biz_opaque_callback_data?: string;
  readonly errors?: { code: number; title: string }[];
}

interface CallbackValue {
  readonly metadata: { display_phone_number: string; phone_number_id: string };
  readonly statuses?: Status[];
  readonly messages?: { id: string; from: string; type: string; text: { body: string } }[];
  readonly contacts?: { wa_id: string; profile: { name: string } }[];
}

export interface CallbackPost {
  readonly raw: Buffer;
  readonly signature: string;
  readonly connection: number;
  readonly values: CallbackValue[];
}

export interface Receiver {
  readonly url: string;
  /** Every POST that arrived, whatever the response was. */
  readonly posts: CallbackPost[];
  readonly verifications: URLSearchParams[];
  /** All statuses of all POSTs, in order of arrival. Only those of one message if `wamid` is given. */
  statuses(wamid?: string): Status[];
  /** Replaces the default response, 200. */
  answer: (response: ServerResponse, post: CallbackPost) => void;
  /** Replaces echoing the challenge. */
  verify: (response: ServerResponse, query: URLSearchParams) => void;
  close(): void;
}

/** A business's callback endpoint over real HTTP. */
export async function startReceiver(port = 0): Promise<Receiver> {
  const server = createServer((request, response) => void receive(receiver, request, response));
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no TCP address");
  const receiver: Receiver = {
    url: `http://127.0.0.1:${address.port}/callbacks`,
    posts: [],
    verifications: [],
    statuses: (wamid) =>
      receiver.posts
        .flatMap(({ values }) => values.flatMap(({ statuses }) => statuses ?? []))
        .filter(({ id }) => wamid === undefined || id === wamid),
    answer: (response) => response.end(),
    verify: (response, query) => response.end(query.get("hub.challenge")),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
  onTestFinished(receiver.close);
  return receiver;
}

async function receive(
  receiver: Receiver,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method === "GET") {
    const { searchParams } = new URL(request.url ?? "", receiver.url);
    receiver.verifications.push(searchParams);
    receiver.verify(response, searchParams);
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const raw = Buffer.concat(chunks);
  const body = JSON.parse(raw.toString("utf8")) as { entry: { changes: { value: CallbackValue }[] }[] };
  const post: CallbackPost = {
    raw,
    signature: String(request.headers["x-hub-signature-256"]),
    connection: request.socket.remotePort ?? 0,
    values: body.entry.flatMap(({ changes }) => changes.map(({ value }) => value)),
  };
  receiver.posts.push(post);
  receiver.answer(response, post);
}

/** The signature as a business computes it. */
export function signatureOf(raw: Buffer, appSecret: string): string {
  return `sha256=${createHmac("sha256", appSecret).update(raw).digest("hex")}`;
}

/** Starts a simulator with one number, whose callbacks go to `receiver`. */
export async function startWithReceiver(): Promise<{
  simulator: Simulator;
  receiver: Receiver;
  directory: string;
}> {
  const directory = await temporaryDirectory();
  const receiver = await startReceiver();
  const simulator = await startForTest(directory);
  await putNumbers(simulator, [numberFor(receiver.url)]);
  return { simulator, receiver, directory };
}

/** Returns the status of a request with exactly these headers, which `fetch` wouldn't send. */
export function statusOf(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const body = JSON.stringify({
      phone_number_id: "106540352242922",
      from: "4915112345678",
      text: { body: "Hi" },
    });
    request(`${url}${path}`, { method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .once("error", reject)
      .end(method === "GET" ? undefined : body);
  });
}
