import { ACCEPTED, refused, REPEATED, send, type Scenario } from "./scenario";
import type { World } from "./world";

export const TYPES = ["image", "audio", "video", "document"] as const;
export type Type = (typeof TYPES)[number];

/** The types that WhatsApp accepts (Meta, "Supported media types"). */
export const MIME_TYPES = {
  image: ["image/jpeg", "image/png"],
  audio: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg", "audio/ogg; codecs=opus"],
  video: ["video/mp4", "video/3gpp"],
  document: [
    "application/pdf",
    "text/plain",
    "application/msword",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.ms-excel",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.ms-powerpoint",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ],
} as const satisfies Record<Type, readonly string[]>;

export const PUBLIC_URL = "https://8.8.8.8/file";

/** A POST /messages of the type, with this media in place of a text. */
export function sendMedia(
  world: World,
  type: Type,
  media: unknown,
  changes: Readonly<Record<string, unknown>> = {},
) {
  return send(world, { type, media, text: undefined, ...changes });
}

const invalid = (field: string) => refused(400, "validation_failed", field);
export const INVALID_KEY = refused(400, "invalid_media", "media.storage_key");
const INVALID_TYPE = refused(400, "invalid_media", "media.mime_type");
export const FORBIDDEN = refused(400, "media_url_forbidden", "media.url");

const taken: readonly Scenario[] = TYPES.flatMap((type): Scenario[] => [
  {
    name: `type ${type} is accepted by its address alone, and repeated`,
    steps: [
      { request: (world) => sendMedia(world, type, { url: PUBLIC_URL }), expected: ACCEPTED },
      { request: (world) => sendMedia(world, type, { url: PUBLIC_URL }), expected: REPEATED },
      {
        request: (world) =>
          sendMedia(
            world,
            type,
            { url: PUBLIC_URL, storage_key: null, filename: null, mime_type: null },
            { template: null },
          ),
        expected: REPEATED,
      },
      {
        request: (world) => sendMedia(world, type, { url: `${PUBLIC_URL}?2` }),
        expected: { ...refused(409, "idempotency_key_reused"), text: /media\.url/ },
      },
    ],
  },
  ...MIME_TYPES[type].map((mimeType): Scenario => ({
    name: `type ${type} takes ${mimeType}`,
    request: (world) => sendMedia(world, type, { url: PUBLIC_URL, mime_type: mimeType }),
    expected: ACCEPTED,
  })),
  ...TYPES.filter((other) => other !== type).map((other): Scenario => ({
    name: `type ${type} doesn't take ${MIME_TYPES[other][0]}`,
    request: (world) => sendMedia(world, type, { url: PUBLIC_URL, mime_type: MIME_TYPES[other][0] }),
    expected: INVALID_TYPE,
  })),
]);

const incomplete: readonly Scenario[] = TYPES.flatMap((type): Scenario[] => [
  ...[undefined, null].map((media): Scenario => ({
    name: `type ${type} with media that is ${media === null ? "null" : "absent"} is refused`,
    request: (world) => sendMedia(world, type, media),
    expected: invalid("media"),
  })),
  ...[{}, { storage_key: null, url: null }, { mime_type: MIME_TYPES[type][0] }].map((media): Scenario => ({
    name: `type ${type} with neither key nor address, ${JSON.stringify(media)}, is refused`,
    request: (world) => sendMedia(world, type, media),
    expected: invalid("media.storage_key"),
  })),
  {
    name: `type ${type} beside a template is refused`,
    request: (world) =>
      sendMedia(world, type, { url: PUBLIC_URL }, { template: { name: "a", language: "en_US" } }),
    expected: invalid("template"),
  },
  {
    name: `type ${type} is free-form: it needs an open window`,
    request: (world) =>
      sendMedia(
        world,
        type,
        { url: PUBLIC_URL },
        { to: { kind: "whatsapp", handle: world.demo.contacts.closed_window.handle } },
      ),
    expected: refused(422, "outside_customer_window"),
  },
]);

const captions: readonly Scenario[] = [
  ...(["image", "video", "document"] as const).flatMap((type): Scenario[] => [
    {
      name: `the caption of type ${type} may have 1024 code points`,
      request: (world) => sendMedia(world, type, { url: PUBLIC_URL }, { text: { body: "👋".repeat(1024) } }),
      expected: ACCEPTED,
    },
    {
      name: `the caption of type ${type} can't have 1025`,
      request: (world) => sendMedia(world, type, { url: PUBLIC_URL }, { text: { body: "a".repeat(1025) } }),
      expected: invalid("text.body"),
    },
  ]),
  {
    name: "a caption without a body is refused",
    request: (world) => sendMedia(world, "image", { url: PUBLIC_URL }, { text: {} }),
    expected: invalid("text.body"),
  },
  {
    name: "type audio takes no caption",
    request: (world) => sendMedia(world, "audio", { url: PUBLIC_URL }, { text: { body: "Listen" } }),
    expected: invalid("text"),
  },
  {
    name: "a caption that is null counts as absent",
    request: (world) => sendMedia(world, "audio", { url: PUBLIC_URL }, { text: null }),
    expected: ACCEPTED,
  },
];

const files: readonly Scenario[] = [
  ...TYPES.map((type): Scenario => ({
    name: `type ${type} may have a filename`,
    request: (world) => sendMedia(world, type, { url: PUBLIC_URL, filename: "Rechnung März.pdf" }),
    expected: ACCEPTED,
  })),
  ...TYPES.map((type): Scenario => ({
    name: `type ${type} may have no blank filename`,
    request: (world) => sendMedia(world, type, { url: PUBLIC_URL, filename: " " }),
    expected: invalid("media.filename"),
  })),
  ...["", "unknown", "../../etc/passwd", "x".repeat(1000), "01890a5d-ac96-774b-bcce-b302099a8057"].map(
    (key): Scenario => ({
      name: `the storage_key "${key.slice(0, 40)}" that nothing has is invalid media`,
      request: (world) => sendMedia(world, "image", { storage_key: key }),
      expected: INVALID_KEY,
    }),
  ),
  ...["image/webp", "image/gif", "image/*", "png", "", "text/html", "application/zip"].map(
    (mimeType): Scenario => ({
      name: `type image doesn't take "${mimeType}"`,
      request: (world) => sendMedia(world, "image", { url: PUBLIC_URL, mime_type: mimeType }),
      expected: INVALID_TYPE,
    }),
  ),
  {
    name: "type audio doesn't take Ogg of another codec than Opus",
    request: (world) => sendMedia(world, "audio", { url: PUBLIC_URL, mime_type: "audio/ogg; codecs=vorbis" }),
    expected: INVALID_TYPE,
  },
  ...["storage_key", "url", "filename", "mime_type"].map((name): Scenario => ({
    name: `a media.${name} that isn't text is refused`,
    request: (world) => sendMedia(world, "document", { url: PUBLIC_URL, [name]: 1 }),
    expected: invalid(`media.${name}`),
  })),
  {
    name: "an unknown field within media is refused",
    request: (world) => sendMedia(world, "image", { url: PUBLIC_URL, link: PUBLIC_URL }),
    expected: invalid("media.link"),
  },
];

const uploaded = ({ demo }: World) => ({ storage_key: demo.uploads.image.storage_key });

const uploads: readonly Scenario[] = [
  {
    name: "an upload is accepted by its storage_key, and repeated",
    steps: [
      { request: (world) => sendMedia(world, "image", uploaded(world)), expected: ACCEPTED },
      {
        request: (world) => sendMedia(world, "image", { ...uploaded(world), url: null }),
        expected: REPEATED,
      },
    ],
  },
  {
    name: "an upload is accepted beside an address",
    request: (world) =>
      sendMedia(world, "image", { ...uploaded(world), url: PUBLIC_URL, mime_type: "image/png" }),
    expected: ACCEPTED,
  },
  {
    name: "the address beside an upload is checked all the same",
    request: (world) => sendMedia(world, "image", { ...uploaded(world), url: "https://127.0.0.1/" }),
    expected: FORBIDDEN,
  },
  ...(["audio", "video", "document"] as const).map((type): Scenario => ({
    name: `an uploaded image isn't taken for type ${type}`,
    request: (world) => sendMedia(world, type, uploaded(world)),
    expected: INVALID_KEY,
  })),
  {
    name: "another organization's upload is invalid media",
    request: (world) => sendMedia(world, "image", { storage_key: world.other.uploads.image.storage_key }),
    expected: INVALID_KEY,
  },
];

/** A media message needs an upload or a public https address; a text is its caption, and an audio has none. */
export const media: readonly Scenario[] = [...taken, ...incomplete, ...captions, ...files, ...uploads];
