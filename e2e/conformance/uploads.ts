import { ACCEPTED, refused, send, sendAs, type Scenario } from "./scenario";
import type { ApiRequest } from "@/e2e/support/api";
import type { World } from "./world";

const PNG = Buffer.from(
  "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c49444154789c63606060000000040001f61738550000000049454e44ae426082",
  "hex",
);
const PDF = Buffer.from("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", "latin1");
const MEBIBYTE = 1024 * 1024;
/** Responses without a rate limit check have no rate-limit headers. */
const NO_UNIT = { "x-ratelimit-limit": null, "x-ratelimit-remaining": null };

/** A POST /uploads with the key that has the default scopes and a limit that is never reached. */
function upload(world: World, raw: Uint8Array, headers: Record<string, string> = {}): ApiRequest {
  return { path: "/uploads", key: world.keys.main.secret, raw, headers };
}

const image = (storageKey: string) => ({
  type: "image",
  text: undefined,
  media: { storage_key: storageKey },
});

const REFUSED_BEFORE_THE_FILE: readonly (Omit<ApiRequest, "key" | "raw" | "path"> & {
  readonly path?: string;
  readonly status: number;
})[] = [
  { headers: { "Content-Type": "multipart/form-data; boundary=x" }, status: 415 },
  { headers: { "Content-Encoding": "gzip" }, status: 415 },
  { headers: { "X-Organization-Id": "any" }, status: 400 },
  { headers: { "Content-Length": String(100 * MEBIBYTE + 1) }, delivery: "stalled", status: 413 },
  { path: "/uploads?kind=image", status: 400 },
];

/** `POST /uploads` takes the raw file as its body, checks its type by its bytes, and answers with a storage key. */
export const uploads: readonly Scenario[] = [
  {
    name: "a file is taken in, and its type, size, digest and end are told",
    request: (world) => upload(world, PNG, { "Content-Type": "image/png", "X-Filename": "a.png" }),
    expected: {
      status: 201,
      body: {
        mime_type: "image/png",
        size: PNG.length,
        sha256: "c47dd9465c00e9a0c8b85e9ea58d3034a0d23b9cf926113602f3460752a4eb96",
      },
      text: /"storage_key":"upl_[0-9a-f]{32}".*"expires_at":"\d{4}-/,
      headers: { "x-ratelimit-limit": "60" },
    },
  },
  {
    name: "a file without a type gets that of its bytes",
    request: (world) => upload(world, PDF),
    expected: { status: 201, body: { mime_type: "application/pdf" } },
  },
  {
    name: "a file whose length isn't declared is taken in",
    request: (world) => ({ ...upload(world, PNG), delivery: "chunked" }),
    expected: { status: 201, body: { size: PNG.length } },
  },
  {
    name: "a file may be larger than a message may be",
    request: (world) => upload(world, Buffer.concat([PDF, Buffer.alloc(20 * MEBIBYTE)])),
    expected: { status: 201, body: { size: 20 * MEBIBYTE + PDF.length } },
  },
  {
    name: "an upload takes no unit of the send bucket",
    steps: [
      ...[1, 2, 3].map(() => ({
        request: (world: World) => ({ ...upload(world, PNG), key: world.keys.oneSendForUploads.secret }),
        expected: { status: 201, headers: { "x-ratelimit-limit": "60" } },
      })),
      { request: (world) => sendAs(world.keys.oneSendForUploads, world), expected: ACCEPTED },
    ],
  },
  {
    name: "a key may upload 60 files a minute, refused ones included, and read and send beside that",
    steps: [
      ...Array.from({ length: 60 }, (_, index) => ({
        request: (world: World) => ({
          ...upload(world, index < 59 ? Buffer.alloc(0) : PNG),
          key: world.keys.uploads.secret,
        }),
        expected: {
          ...(index < 59 ? refused(400, "validation_failed") : { status: 201 }),
          headers: { "x-ratelimit-limit": "60", "x-ratelimit-remaining": String(59 - index) },
        },
      })),
      {
        request: (world) => ({ ...upload(world, PNG), key: world.keys.uploads.secret }),
        expected: {
          ...refused(429, "rate_limited"),
          headers: {
            "retry-after": /^([1-9]|[1-5][0-9]|6[01])$/,
            "x-ratelimit-limit": "60",
            "x-ratelimit-remaining": "0",
            "x-ratelimit-reset": /^[0-9]+$/,
          },
        },
      },
      { request: ({ keys }) => ({ path: "/ping", key: keys.uploads.secret }), expected: { status: 200 } },
      { request: (world) => sendAs(world.keys.uploads, world), expected: ACCEPTED },
    ],
  },
  {
    name: "an upload that is refused before its file may come in takes no unit, one whose file is refused does",
    steps: [
      ...REFUSED_BEFORE_THE_FILE.map(({ status, ...changes }) => ({
        request: (world: World) => ({
          ...upload(world, PNG),
          key: world.keys.refusedUploads.secret,
          ...changes,
        }),
        expected: { status, headers: NO_UNIT },
      })),
      ...[
        { type: "image/gif", status: 400, left: "59" },
        { type: "image/png", status: 201, left: "58" },
      ].map(({ type, status, left }) => ({
        request: (world: World) => ({
          ...upload(world, PNG, { "Content-Type": type }),
          key: world.keys.refusedUploads.secret,
        }),
        expected: { status, headers: { "x-ratelimit-remaining": left } },
      })),
    ],
  },
  {
    name: "a file that doesn't fit into what is left of the upload quota is refused",
    request: (world) => ({ ...upload(world, PNG), key: world.full.api_key.secret }),
    expected: refused(422, "upload_quota_exceeded"),
  },
  {
    name: "a file of undeclared length is held to the upload quota as well",
    request: (world) => ({ ...upload(world, PNG), key: world.full.api_key.secret, delivery: "chunked" }),
    expected: refused(422, "upload_quota_exceeded"),
  },
  {
    name: "an upload needs messages:send",
    request: (world) => ({ ...upload(world, PNG), key: world.keys.readsOnly.secret }),
    expected: { ...refused(403, "missing_scope"), text: /messages:send/, headers: NO_UNIT },
  },
  {
    name: "an upload needs a key, before its type is looked at",
    request: (world) => ({ ...upload(world, PNG, { "Content-Type": "image/gif" }), key: undefined }),
    expected: refused(401, "api_key_required"),
  },
  {
    name: "the organization must not be sent with an upload",
    request: (world) =>
      upload(world, PNG, { "Content-Type": "image/gif", "X-Organization-Id": world.demo.organization_id }),
    expected: refused(400, "organization_not_allowed"),
  },
  {
    name: "a query that nothing reads is refused",
    request: (world) => ({ ...upload(world, PNG), path: "/uploads?kind=image" }),
    expected: refused(400, "validation_failed", "kind"),
  },
  {
    name: "another method is refused with the one that is right",
    request: ({ keys }) => ({ path: "/uploads", key: keys.main.secret }),
    expected: { ...refused(405, "method_not_allowed"), headers: { allow: "POST" } },
  },
  {
    name: "bytes that contradict the type are refused, naming both",
    request: (world) => upload(world, PDF, { "Content-Type": "image/png" }),
    expected: { ...refused(400, "invalid_media"), text: /image\/png.*application\/pdf/ },
  },
  {
    name: "a type that WhatsApp doesn't take is refused",
    request: (world) => upload(world, PNG, { "Content-Type": "image/gif" }),
    expected: { ...refused(400, "invalid_media"), text: /image\/gif/ },
  },
  {
    name: "an empty file is refused",
    request: (world) => upload(world, Buffer.alloc(0), { "Content-Type": "image/png" }),
    expected: refused(400, "validation_failed"),
  },
  {
    name: "a form is refused: the file itself is the body",
    request: (world) => upload(world, PNG, { "Content-Type": "multipart/form-data; boundary=x" }),
    expected: { ...refused(415, "unsupported_media_type"), text: /itself/ },
  },
  {
    name: "a compressed body is refused",
    request: (world) => upload(world, PNG, { "Content-Encoding": "gzip" }),
    expected: refused(415, "unsupported_media_type"),
  },
  {
    name: "more bytes than the declared type may have are refused, declared or not",
    steps: (["whole", "chunked"] as const).map((delivery) => ({
      request: (world: World) => ({
        ...upload(world, Buffer.concat([PNG, Buffer.alloc(5 * MEBIBYTE)]), { "Content-Type": "image/png" }),
        delivery,
      }),
      expected: { ...refused(413, "payload_too_large"), text: /5 MiB/ },
    })),
  },
  {
    name: "a declared length over that of any file is refused before the key is looked at",
    request: () => ({
      method: "POST",
      path: "/uploads",
      headers: { "Content-Length": String(100 * MEBIBYTE + 1) },
      raw: Buffer.alloc(1),
      delivery: "stalled",
    }),
    expected: refused(413, "payload_too_large"),
  },
  {
    name: "a file that stalls is given up",
    request: (world) => ({ ...upload(world, PNG), delivery: "stalled" }),
    expected: refused(408, "request_timeout"),
  },
  {
    name: "another organization's upload is answered as one that doesn't exist",
    steps: [
      {
        request: (world) => send(world, image(world.other.uploads.image.storage_key)),
        expected: refused(400, "invalid_media", "media.storage_key"),
      },
      {
        request: (world) => send(world, image(`upl_${"0".repeat(32)}`)),
        expected: refused(400, "invalid_media", "media.storage_key"),
      },
    ],
  },
];
