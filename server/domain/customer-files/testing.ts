import { createHash, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { answerJson } from "@/server/adapters/whatsapp/testing";
import type { SystemActor } from "@/server/core/actor";
import type { Context } from "@/server/core/context";
import { servicesWith } from "@/server/core/testing";
import { receiveMessage } from "@/server/domain/messages/receive/receive";
import { newHandle } from "@/server/domain/messages/testing";
import {
  connectTestChannel,
  createTestOrganization,
  type TestWorld,
} from "@/server/domain/organizations/testing";
import { SAMPLES } from "@/server/domain/uploads/testing";
import { serveOnLoopback } from "@/server/edge/http/testing";

/** How the upstream answers one of the two requests for a file. */
type Behaviour = (res: ServerResponse, req: IncomingMessage) => void;

export const givingBytes =
  (bytes: Uint8Array): Behaviour =>
  (res) => {
    res.writeHead(200, { "content-type": "application/x-lie", "content-length": bytes.byteLength });
    res.end(bytes);
  };

/** Sends bytes as long as somebody reads them. */
export const endless: Behaviour = (res) => {
  const piece = Buffer.alloc(64 * 1024, "x");
  const more = () => {
    while (!res.destroyed && res.write(piece));
  };
  res.on("drain", more);
  more();
};

/** Meta's answer about an object that it doesn't have. */
export const unknownMedia: Behaviour = (res) =>
  answerJson(res, 400, {
    error: { message: "Object does not exist", type: "GraphMethodException", code: 100, error_subcode: 33 },
  });

export const sha256Of = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** Serves the media of a Cloud API on loopback: the address of every id, and its bytes. */
export async function startMediaHost() {
  let description: Behaviour | null = null;
  let download: Behaviour = givingBytes(SAMPLES.png);
  let told: { url?: string; file_size?: number; sha256?: string } = {};
  const requests: { path: string; authorization: string | undefined }[] = [];
  const server = await serveOnLoopback((req, res) => {
    const path = req.url ?? "";
    requests.push({ path, authorization: req.headers.authorization });
    if (path.startsWith("/bytes")) return download(res, req);
    if (description) return description(res, req);
    answerJson(res, 200, { messaging_product: "whatsapp", url: `${server.url}/bytes`, ...told });
  });
  return {
    url: server.url,
    requests,
    /** Sets the bytes' behaviour from now on. */
    serve: (next: Behaviour) => void (download = next),
    /** Sets what is said about the file besides its address. */
    tell: (facts: typeof told) => void (told = facts),
    /** Sets the behaviour for the request of its address. */
    describe: (next: Behaviour | null) => void (description = next),
    downloads: () => requests.filter(({ path }) => path.startsWith("/bytes")).length,
    close: () => server.close(),
  };
}

export type MediaHost = Awaited<ReturnType<typeof startMediaHost>>;

/** A new organization whose channel is called at the host. */
export async function openFilesOrganization({ services }: TestWorld, host: MediaHost) {
  const own = servicesWith(services, { urls: { upstream: () => host.url } });
  const ctx = await createTestOrganization(own);
  const channelId = await connectTestChannel(ctx, true);
  return { ctx, channelId };
}

/** Receives a customer's message with a file. @returns the ids of the message and of its file. */
export async function receiveFile(
  ctx: Context<SystemActor>,
  channelId: string,
  { type = "image", at = new Date(), media = {} }: { type?: string; at?: Date; media?: object } = {},
) {
  const received = await receiveMessage({
    ctx,
    input: {
      channelId,
      from: { number: newHandle(), userId: null, parentUserId: null },
      profileName: null,
      upstreamId: `wamid.${randomUUID()}`,
      content: { type, media: { id: `media-${randomUUID()}`, mime_type: "image/png", ...media } },
      at,
      opensWindow: true,
      becomes: null,
    },
  });
  const [row] = await ctx.services.sql<{ id: string }[]>`
    select id from customer_files
    where organization_id = ${ctx.actor.organizationId} and message_id = ${received.messageId}`;
  if (!row) throw new Error("The message has no file");
  return { ...received, fileId: row.id };
}

/** Returns what is stored about a file. */
export async function fileRow({ services, actor }: Context, fileId: string) {
  const [row] = await services.sql<FileRow[]>`
    select state, gone_reason as "goneReason", attempts, failure, mime_type as "mimeType", size::float8 as size, sha256,
      media_id as "mediaId", may_have_bytes as "mayHaveBytes", claim_token is not null as "isClaimed",
      round(extract(epoch from next_attempt_at - now()))::float8 as "dueInSeconds"
    from customer_files where id = ${fileId} and organization_id = ${actor.organizationId}`;
  if (!row) throw new Error(`There is no file ${fileId}`);
  return row;
}

interface FileRow {
  readonly state: string;
  readonly goneReason: string | null;
  readonly attempts: number;
  readonly failure: string | null;
  readonly mimeType: string | null;
  readonly size: number | null;
  readonly sha256: string | null;
  readonly mediaId: string | null;
  readonly mayHaveBytes: boolean;
  readonly isClaimed: boolean;
  readonly dueInSeconds: number;
}

/** Makes a file that was put off due now. */
export async function makeDue({ services, actor }: Context, fileId: string): Promise<void> {
  await services.sql`
    update customer_files set next_attempt_at = now()
    where id = ${fileId} and organization_id = ${actor.organizationId}`;
}

/** Returns how many bytes of the organization's quota are used. */
export const usedBytes = (ctx: Context) => countedBytes(ctx, "uploaded_bytes");
/** Returns the part of them that customers' files count. */
export const usedByCustomers = (ctx: Context) => countedBytes(ctx, "customer_file_bytes");

async function countedBytes(
  { services: { sql }, actor }: Context,
  column: "uploaded_bytes" | "customer_file_bytes",
): Promise<number> {
  const [row] = await sql<{ bytes: number }[]>`
    select ${sql(column)}::float8 as bytes from organizations where id = ${actor.organizationId}`;
  return row?.bytes ?? 0;
}

/** Names of incomplete files on the disk. */
export const incompleteFiles = ({ services }: TestWorld): Promise<readonly string[]> =>
  readdir(path.join(services.config.dataDir, "uploads/incoming")).catch(() => []);

/** Returns a file from the store; null if it isn't there. */
export async function storedBytes({ services }: TestWorld, fileId: string): Promise<Buffer | null> {
  const file = await services.customerFiles.find(fileId);
  return file && buffer(file.read());
}
