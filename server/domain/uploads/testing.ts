import type { IncomingMessage, ServerResponse } from "node:http";
import { serveOnLoopback } from "@/server/edge/http/testing";
import { answerJson } from "@/server/adapters/whatsapp/testing";
import type { IncomingFile } from "@/server/adapters/files/incoming-file";
import type { StoredFile } from "@/server/adapters/files/store";

const zeros = (length: number) => Buffer.alloc(length);
const box = (brand: string) =>
  Buffer.concat([Buffer.from(`\0\0\0\x18ftyp${brand}\0\0\0\0isommp42`), zeros(64)]);

/** A WebP in its extended format, with these flags. */
const webp = (flags: number) =>
  Buffer.concat([Buffer.from("RIFF\x5a\0\0\0WEBPVP8X\x0a\0\0\0"), Buffer.from([flags]), zeros(64)]);

/** The shortest prefixes that identify files of these types. */
export const SAMPLES = {
  png: Buffer.from(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082",
    "hex",
  ),
  jpeg: Buffer.concat([Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex"), zeros(32)]),
  gif: Buffer.from("GIF89a\x01\0\x01\0\0\0\0;"),
  aac: Buffer.concat([Buffer.from("fff150801ffc", "hex"), zeros(32)]),
  amr: Buffer.from("#!AMR\n\x3c\x91\x17\x16"),
  mp3: Buffer.concat([Buffer.from("fffb9064", "hex"), zeros(32)]),
  m4a: box("M4A "),
  mp4: box("isom"),
  threeGp: box("3gp5"),
  quicktime: box("qt  "),
  opus: Buffer.concat([Buffer.from("OggS"), zeros(24), Buffer.from("OpusHead"), zeros(32)]),
  vorbis: Buffer.concat([Buffer.from("OggS"), zeros(24), Buffer.from("\x01vorbis"), zeros(32)]),
  pdf: Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1"),
  text: Buffer.from("Grüße, and a line\nof text\n"),
  officeContainer: Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), zeros(1024)]),
  sticker: webp(0),
  animatedSticker: webp(2),
  executable: Buffer.concat([Buffer.from("MZ"), zeros(128)]),
} as const satisfies Record<string, Buffer>;

/** A zip with one stored entry, `[Content_Types].xml`, which identifies the Office type. */
export function officeFile(mainType: string): Buffer {
  const name = Buffer.from("[Content_Types].xml");
  const xml = Buffer.from(
    `<?xml version="1.0"?><Types><Override PartName="/main.xml" ContentType="${mainType}.main+xml"/></Types>`,
  );
  const header = Buffer.alloc(30);
  header.write("PK\x03\x04", "latin1");
  header.writeUInt16LE(20, 4);
  header.writeUInt32LE(xml.length, 18);
  header.writeUInt32LE(xml.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name, xml, Buffer.from("PK\x05\x06", "latin1"), zeros(18)]);
}

/** A file as a transport passes it on. */
export function fileOf(
  bytes: Uint8Array | readonly Uint8Array[],
  members: Partial<Omit<IncomingFile, "chunks">> = {},
): IncomingFile {
  return {
    async *chunks() {
      yield* Array.isArray(bytes) ? bytes : [bytes];
    },
    contentType: undefined,
    filename: undefined,
    declaredBytes: undefined,
    ...members,
  };
}

/** A file as the store holds it. */
export function storedFileOf(bytes: Uint8Array): StoredFile {
  return {
    size: bytes.byteLength,
    async *read() {
      yield bytes;
    },
  };
}

/** An upload that reached the upstream. */
export interface MediaUpload {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
  readonly file: { readonly type: string; readonly bytes: Buffer } | null;
}

/** How the upstream responds after receiving the whole request. */
export type MediaBehaviour = (res: ServerResponse, mediaId: string) => void;

/** Serves the media endpoint of a Cloud API on loopback. Its behaviour can be set. */
export async function startMediaUpstream() {
  const uploads: MediaUpload[] = [];
  let behaviour: MediaBehaviour = givingIds;
  const server = await serveOnLoopback((req, res) => {
    readUpload(req).then(
      (upload) => {
        uploads.push(upload);
        behaviour(res, `media-${uploads.length}`);
      },
      // The sender disconnected, so there is nobody to respond to.
      () => res.destroy(),
    );
  });
  return {
    url: server.url,
    uploads,
    behave: (next: MediaBehaviour) => void (behaviour = next),
    close: () => server.close(),
  };
}

export type MediaUpstream = Awaited<ReturnType<typeof startMediaUpstream>>;

export const givingIds: MediaBehaviour = (res, mediaId) => answerJson(res, 200, { id: mediaId });

/** Reads the form with the platform's own parser, which is independent of ours. */
async function readUpload(req: IncomingMessage): Promise<MediaUpload> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const headers = { "content-type": req.headers["content-type"] ?? "" };
  const form = await new Response(Buffer.concat(chunks), { headers }).formData();
  const fields: Record<string, string> = {};
  let file: MediaUpload["file"] = null;
  for (const [name, value] of form) {
    if (typeof value === "string") fields[name] = value;
    else file = { type: value.type, bytes: Buffer.from(await value.arrayBuffer()) };
  }
  return { path: req.url ?? "", authorization: req.headers.authorization, fields, file };
}
