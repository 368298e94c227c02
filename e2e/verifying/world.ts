import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { transform } from "esbuild";
import { expect } from "vitest";
import { z } from "zod";
import { createKey, demo } from "@/e2e/support/cli";
import { samplesOf } from "@/e2e/support/page-samples";
import { REPOSITORY } from "@/e2e/support/program";
import { askSharedServer } from "@/e2e/support/shared-server";
import { until } from "@/e2e/support/until";

/** A webhook as received during a rotation. */
export interface Delivered {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The previous secret, and the current one. */
  readonly secrets: readonly [string, string];
}

/** An organization whose webhooks are sent to programs of the documentation's page on verifying. */
export interface VerifyingWorld {
  /** Below node_modules, so that samples find their packages. */
  readonly directory: string;
  /** The port of the page's program. */
  readonly port: number;
  readonly delivered: Delivered;
  /** Returns the page's sample of this name, as a reader copies it. */
  sample(name: string): string;
  /** Creates an endpoint at the program's URL. */
  newEndpoint(): Promise<Endpoint>;
  rotate(id: string): Promise<Endpoint>;
  testEndpoint(id: string): Promise<TestDelivery>;
  /** Starts the page's program, as its reader does. */
  startReceiver(secret: string): Promise<Receiver>;
  close(): Promise<void>;
}

export interface Receiver {
  readonly printed: () => string;
  end(): Promise<void>;
}

const endpointSchema = z.object({ id: z.guid(), secret: z.string() });
type Endpoint = z.output<typeof endpointSchema>;
const testSchema = z.object({ state: z.string(), http_status: z.number().nullable() });
type TestDelivery = z.output<typeof testSchema>;

type Endpoints = Pick<VerifyingWorld, "newEndpoint" | "rotate" | "testEndpoint">;

export async function openVerifyingWorld(): Promise<VerifyingWorld> {
  const server = await askSharedServer();
  const port = await server.receiverPort();
  const { organization_id: organizationId } = await demo(server);
  const { secret: key } = await createKey(server, organizationId, { scopes: ["webhooks:manage"] });
  const samples = await samplesOf(`${server.baseUrl}/docs/webhooks/verifying`);
  const endpoints = endpointsOf(`${server.baseUrl}/api/public/v1/webhooks`, key, port);
  const delivered = await deliverOnce(endpoints, port);
  const cache = join(REPOSITORY, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const directory = await mkdtemp(join(cache, "waypost-samples-"));
  const sample = (name: string) => {
    const found = samples.get(name);
    if (found === undefined) throw new Error(`The page has no sample ${name}`);
    return found;
  };
  return {
    ...endpoints,
    directory,
    port,
    delivered,
    sample,
    async startReceiver(secret) {
      const file = join(directory, "receiver.mjs");
      await writeFile(file, (await transform(sample("receiver"), { loader: "ts", format: "esm" })).code);
      return startProgram(file, secret, port);
    },
    close: () => rm(directory, { recursive: true }),
  };
}

function endpointsOf(url: string, key: string, port: number): Endpoints {
  async function call<S extends z.ZodType>(path: string, schema: S, body?: object): Promise<z.output<S>> {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return schema.parse(await response.json());
  }
  return {
    newEndpoint: () => call("", endpointSchema, { url: `http://127.0.0.1:${port}/` }),
    rotate: (id) => call(`/${id}/rotate-secret`, endpointSchema),
    testEndpoint: (id) => call(`/${id}/test`, testSchema),
  };
}

/** Delivers a test to an endpoint whose secret was just rotated. */
async function deliverOnce(
  { newEndpoint, rotate, testEndpoint }: Endpoints,
  port: number,
): Promise<Delivered> {
  const { id, secret: former } = await newEndpoint();
  const { secret } = await rotate(id);
  let got: Pick<Delivered, "headers" | "body"> | undefined;
  const capture = createServer((request, response) => {
    void text(request).then((body) => {
      const named = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      got = { headers: Object.fromEntries(named), body };
      response.writeHead(204).end();
    });
  }).listen(port, "127.0.0.1");
  await once(capture, "listening");
  expect(await testEndpoint(id)).toEqual({ state: "delivered", http_status: 204 });
  capture.closeAllConnections();
  capture.close();
  if (!got) throw new Error("Nothing was delivered");
  return { ...got, secrets: [former, secret] };
}

async function startProgram(file: string, secret: string, port: number): Promise<Receiver> {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (words: string) => (printed += words));
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  await until("the receiver listens", isUp);
  return { printed: () => printed, end: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  child.kill();
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
