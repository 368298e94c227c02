import { createHmac } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createKey, demo, type Demo } from "@/e2e/support/cli";
import { httpCall, type HttpAnswer, type HttpCall } from "@/e2e/support/http-call";
import { startProgram } from "@/e2e/support/program";
import { startWaypost, type Waypost } from "@/e2e/support/waypost";
import { BASE_PATH } from "@/e2e/support/api";
import { type EchoingUpstream, startEchoingUpstream } from "./echoing-upstream";
import { MARKS } from "./marks";

const PHONE_NUMBER_ID = "106540352242922";

/** A server with maximum logging, and a number at an echoing upstream. */
export interface OperatingWorld {
  readonly server: Waypost;
  readonly upstream: EchoingUpstream;
  readonly demo: Demo;
  readonly key: string;
  /** The channel at the echoing upstream. */
  readonly channelId: string;
  /** Every response so far, to any client. */
  readonly answers: readonly HttpAnswer[];
  /** Standard error of the commands. */
  readonly commandErrors: () => string;
  /** Sends a request to the server, or to the public API if the path starts with `v1:`. */
  ask(path: string, call?: Partial<Omit<HttpCall, "url">>): Promise<HttpAnswer>;
  /** `POST /messages`, with the key. */
  post(body: unknown): Promise<HttpAnswer>;
  /** Sends a callback, with the upstream's signature or a different one. */
  callBack(body: string, appSecret?: string): Promise<HttpAnswer>;
  close(): Promise<void>;
}

export async function openOperatingWorld(): Promise<OperatingWorld> {
  const upstream = await startEchoingUpstream();
  const env = {
    LOG_LEVEL: "trace",
    WAYPOST_SECRET: MARKS.secret,
    WAYPOST_METRICS_TOKEN: MARKS.metricsToken,
    WAYPOST_GRAPH_URL: upstream.url,
  };
  const server = await startWaypost({ env });
  const answers: HttpAnswer[] = [];
  const organization = await demo(server);
  const { secret: key } = await createKey(server, organization.organization_id, { readLimit: 100_000 });
  const { channelId, stderr } = await connect(server, organization.organization_id);

  async function ask(path: string, call: Partial<Omit<HttpCall, "url">> = {}): Promise<HttpAnswer> {
    const url = server.baseUrl + path.replace(/^v1:/, BASE_PATH);
    const answer = await httpCall({ method: "GET", headers: {}, ...call, url });
    answers.push(answer);
    return answer;
  }
  return {
    server,
    upstream,
    demo: organization,
    key,
    channelId,
    answers,
    commandErrors: () => stderr,
    ask,
    post: (body) =>
      ask("v1:/messages", {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      }),
    callBack: (body, appSecret = MARKS.appSecret) =>
      ask(`/api/upstream/whatsapp/${channelId}`, {
        method: "POST",
        headers: {
          "X-Hub-Signature-256": `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`,
        },
        body: Buffer.from(body),
      }),
    async close() {
      await server.stop();
      await upstream.close();
    },
  };
}

async function connect(server: Waypost, organizationId: string) {
  const file = join(server.dataDir, "credentials.json");
  const { accessToken, appSecret, verifyToken } = MARKS;
  const credentials = { access_token: accessToken, app_secret: appSecret, verify_token: verifyToken };
  await writeFile(file, JSON.stringify(credentials), { mode: 0o600 });
  const args = ["--org", organizationId, "--name", "Echo", "--phone-number-id", PHONE_NUMBER_ID];
  const number = ["--waba-id", "102290129340398", "--display-phone-number", "+1 555 0100"];
  const rest = ["--credentials", file, "--already-in-use", "--unchecked", "--json"];
  const command = startProgram(["cli", "channel", "connect", ...args, ...number, ...rest], server.env);
  const { code } = await command.ended;
  await rm(file);
  if (code !== 0) throw new Error(`channel connect exited with ${code}: ${command.stderr()}`);
  const { id }: { id?: unknown } = JSON.parse(command.stdout());
  if (typeof id !== "string") throw new Error(`channel connect printed ${command.stdout()}`);
  return { channelId: id, stderr: command.stderr() };
}

/** An update about the number, as Meta sends it. */
export function updateOf(value: object): string {
  const metadata = { display_phone_number: "15550100", phone_number_id: PHONE_NUMBER_ID };
  const change = { field: "messages", value: { messaging_product: "whatsapp", metadata, ...value } };
  return JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "102290129340398", changes: [change] }],
  });
}
