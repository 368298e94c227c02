const KIB = 1024;
const MIB = 1024 * KIB;

/** WhatsApp's limit of a sticker that isn't animated. */
export const STATIC_STICKER_BYTES_MAX = 100 * KIB;

/**
 * File types that WhatsApp accepts for each type of media message
 * (https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media#supported-media-types). Ogg files must be
 * Opus, and images must have 8 bits a channel. Extensions are the usual ones of each type.
 */
export const MEDIA_TYPES = {
  image: {
    sizeBytesMax: 5 * MIB,
    mimeTypes: ["image/jpeg", "image/png"],
    extensions: [".jpg", ".jpeg", ".jpe", ".jfif", ".png"],
  },
  audio: {
    sizeBytesMax: 16 * MIB,
    mimeTypes: ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"],
    extensions: [".aac", ".amr", ".mp3", ".mpga", ".m4a", ".ogg", ".oga", ".opus"],
  },
  video: {
    sizeBytesMax: 16 * MIB,
    mimeTypes: ["video/mp4", "video/3gpp"],
    extensions: [".mp4", ".m4v", ".3gp", ".3gpp"],
  },
  document: {
    sizeBytesMax: 100 * MIB,
    mimeTypes: [
      "application/pdf",
      "text/plain",
      "application/msword",
      "application/vnd.ms-excel",
      "application/vnd.ms-powerpoint",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ],
    extensions: [".pdf", ".txt", ".doc", ".xls", ".ppt", ".docx", ".xlsx", ".pptx"],
  },
  /** The limit of animated ones. */
  sticker: { sizeBytesMax: 500 * KIB, mimeTypes: ["image/webp"], extensions: [".webp"] },
} as const satisfies Record<
  string,
  { sizeBytesMax: number; mimeTypes: readonly string[]; extensions: readonly string[] }
>;

/** Extensions of common files that WhatsApp accepts in no message. */
const OTHER_EXTENSIONS = [
  ".apng .avif .bmp .gif .heic .heif .ico .psd .svg .tif .tiff",
  ".aif .aiff .flac .mid .midi .wav .weba .wma",
  ".3g2 .avi .flv .mkv .mov .mpeg .mpg .ogv .webm .wmv",
  ".css .csv .epub .htm .html .ics .js .json .md .odp .ods .odt .rtf .vcf .xml",
  ".7z .apk .bz2 .dmg .exe .gz .iso .jar .rar .tar .zip",
].flatMap((extensions) => extensions.split(" "));

const KNOWN_EXTENSIONS: ReadonlySet<string> = new Set([
  ...Object.values(MEDIA_TYPES).flatMap(({ extensions }) => [...extensions]),
  ...OTHER_EXTENSIONS,
]);

export type MediaType = keyof typeof MEDIA_TYPES;

/**
 * Returns true if WhatsApp accepts this MIME type for a message of the type.
 * @param mimeType as in a `Content-Type` header, in any case and with parameters (RFC 9110, section 8.3.1).
 */
export function isMimeTypeAccepted(type: MediaType, mimeType: string): boolean {
  const [essence = "", ...parameters] = mimeType
    .toLowerCase()
    .split(";")
    .map((part) => part.trim());
  if (essence === "audio/ogg" && !parameters.every(isOpus)) return false;
  const accepted: readonly string[] = MEDIA_TYPES[type].mimeTypes;
  return accepted.includes(essence);
}

/**
 * Returns true if the extension belongs to a file type that WhatsApp accepts for a message of the type.
 * @param extension with its dot, in lower case.
 * @returns true also for an unknown extension.
 */
export function isExtensionAccepted(type: MediaType, extension: string): boolean {
  const accepted: readonly string[] = MEDIA_TYPES[type].extensions;
  return accepted.includes(extension) || !KNOWN_EXTENSIONS.has(extension);
}

function isOpus(parameter: string): boolean {
  return !parameter.startsWith("codecs=") || /^codecs="?opus"?$/.test(parameter);
}
